-- Internal notes of site moderators and admins about people. The person never sees them.

create table person_notes (
  id uuid primary key,
  person_id uuid not null references people (id) on delete cascade,
  author_id uuid references people (id) on delete set null,
  body text not null check (char_length(body) between 1 and 2000),
  created_at timestamptz not null
);
create index person_notes_of_person on person_notes (person_id, created_at desc, id desc);
create index person_notes_of_author on person_notes (author_id) where (author_id is not null);
comment on table person_notes is 'Internal notes of staff. Never shown to the person or to group moderators.';
comment on column person_notes.author_id is 'Null: the author was deleted.';

alter table cases drop constraint cases_action_check, add constraint cases_action_check check (action in (
  'none', 'noted', 'removed', 'archived', 'limited', 'suspended', 'restored', 'kept'));
comment on column cases.action is
  'Last decision. kept: the appeal was rejected. noted: a note on the person was made. none: nothing was done.';
