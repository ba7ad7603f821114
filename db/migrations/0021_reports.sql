-- Messages that somebody showed to those who look after the place, as they stood then. Staff read these rows, and no others
-- of a conversation.
create table reports (
  id uuid primary key,
  reporter_id uuid not null references people (id) on delete cascade,
  conversation_id uuid references conversations (id) on delete set null,
  reason text not null check (char_length(reason) between 1 and 1000),
  created_at timestamptz not null,
  resolved_at timestamptz,
  resolved_by uuid references people (id) on delete set null,
  outcome text check (outcome in ('upheld', 'rejected')),
  note text not null default '' check (char_length(note) <= 1000),
  check ((resolved_at is null) = (outcome is null))
);
create index reports_open on reports (created_at desc, id desc) where resolved_at is null;
create index reports_resolved on reports (resolved_at desc, id desc) where resolved_at is not null;
create index reports_of_person on reports (reporter_id, created_at desc);

create table reported_messages (
  report_id uuid not null references reports (id) on delete cascade,
  seq integer not null,
  author_id uuid references people (id) on delete set null,
  body_html text not null,
  written_at timestamptz not null,
  edited_at timestamptz,
  -- Chosen by the one who reported; the others stand around it, so that it is understood.
  chosen boolean not null,
  primary key (report_id, seq)
);
create index reported_messages_of_author on reported_messages (author_id);
