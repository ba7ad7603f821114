-- Mail that programs send. Words that go to many are kept once; each of those who get them has a row of their own in `mails`, so that
-- each is written to once, whatever becomes of the others.
create table mail_bodies (
  id uuid primary key,
  body_text text not null,
  body_html text not null,
  -- What stands in the head of copies that name those who get them.
  to_line text[] not null,
  cc_line text[] not null,
  created_at timestamptz not null
);
create index mail_bodies_age on mail_bodies (created_at);

-- Null bytes: all that were to get them have.
create table mail_attachments (
  body_id uuid not null references mail_bodies (id) on delete cascade,
  position integer not null,
  name text not null,
  mime text not null,
  size bigint not null,
  bytes bytea,
  primary key (body_id, position)
);

alter table mails
  add column body_id uuid references mail_bodies (id) on delete cascade,
  drop constraint mails_kind_check,
  add constraint mails_kind_check check (kind in ('account', 'notice', 'digest', 'answer', 'program'));
create index mails_of_body on mails (body_id) where body_id is not null;
create index mails_in_hand on mails (claimed_at) where claimed_at is not null and sent_at is null and given_up_at is null;
create index mails_of_programs on mails (created_at) where kind = 'program';

-- What a program asked to be sent, for whoever asks what became of it; its words are the body of the same id.
create table program_mails (
  id uuid primary key,
  -- Who was signed in with the program; nobody for one on a server.
  person_id uuid references people (id) on delete cascade,
  subject text not null,
  -- The name of the template that it was made from.
  template text,
  -- Why nobody was written to.
  error text,
  created_at timestamptz not null,
  cancelled_at timestamptz
);
create index program_mails_person on program_mails (person_id) where person_id is not null;
create index program_mails_latest on program_mails (created_at desc, id desc);

create table mail_templates (
  id uuid primary key,
  name text collate "C" not null unique check (char_length(name) between 1 and 100),
  subject text not null check (char_length(subject) <= 1000),
  body_text text not null check (char_length(body_text) <= 200000),
  body_html text not null check (char_length(body_html) <= 500000),
  created_at timestamptz not null,
  updated_at timestamptz not null
);
