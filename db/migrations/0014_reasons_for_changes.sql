-- Why somebody else than its author changed a post; empty for authors, who need not say.
alter table post_revisions add column reason text not null default '' check (char_length(reason) <= 300);

-- How many changes somebody made in a day.
create index post_revisions_of_person on post_revisions (replaced_by, replaced_at desc);
