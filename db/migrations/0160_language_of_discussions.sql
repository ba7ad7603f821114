-- Whether the language of a discussion was found or chosen. Until now each one was stored as English, whatever it was
-- written in: those are looked at once more.
alter table discussions add column language_known boolean not null default false;
create index discussions_without_language on discussions (id) where not language_known;
-- Another language than that of the default was named by somebody: by a file that was imported.
update discussions set language_known = true where language <> 'en';
