-- Outgoing and incoming mail.

create table mail_bodies (
  id uuid primary key,
  body_text text not null,
  body_html text not null,
  to_header text[] not null,
  cc_header text[] not null,
  created_at timestamptz not null
);
create index mail_bodies_age on mail_bodies (created_at);
comment on table mail_bodies is 'Texts shared by mails to several recipients.';

create table mail_attachments (
  body_id uuid references mail_bodies (id) on delete cascade,
  position integer,
  name text not null,
  mime text not null,
  size bigint not null,
  bytes bytea,
  primary key (body_id, position)
);
comment on table mail_attachments is 'Attachments of such texts.';

create table mails (
  id uuid primary key,
  recipient text not null,
  subject text not null,
  body_text text not null,
  body_html text not null default '',
  created_at timestamptz not null,
  sent_at timestamptz,
  letter jsonb,
  kind text not null default 'account' check (kind in ('account', 'notice', 'digest', 'answer', 'program')),
  person_id uuid references people (id) on delete cascade,
  headers jsonb not null default '{}',
  message_id text,
  claimed_at timestamptz,
  given_up_at timestamptz,
  failure text,
  body_id uuid references mail_bodies (id) on delete cascade
);
create index mails_latest on mails (created_at desc, id desc);
create index mails_by_recipient on mails (lower(recipient), created_at desc);
create unique index mails_message_id on mails (message_id) where (message_id is not null);
create index mails_of_person on mails (person_id, created_at) where (person_id is not null);
create index mails_by_host on mails (lower(split_part(recipient, '@', 2)), claimed_at)
  where (claimed_at is not null);
create index mails_of_body on mails (body_id) where (body_id is not null);
create index mails_in_hand on mails (claimed_at)
  where ((claimed_at is not null) and (sent_at is null) and (given_up_at is null));
create index mails_of_programs on mails (created_at) where (kind = 'program');
comment on table mails is 'Mails to send and sent.';
comment on column mails.letter is 'Content as data, from which HTML is made.';
comment on column mails.claimed_at is 'A worker is handing it over.';

create table mails_received (
  message_hash bytea primary key,
  received_at timestamptz not null
);
create index mails_received_age on mails_received (received_at);
comment on table mails_received is 'Message ids received, so that a mail counts once.';

create table mail_bounces (
  address_hash bytea primary key,
  score integer not null,
  last_at timestamptz not null
);
comment on table mail_bounces is 'Bounce score by address hash.';

create table mail_suppressions (
  person_id uuid references people (id) on delete cascade,
  scope text check (char_length(scope) <= 60),
  at timestamptz not null,
  primary key (person_id, scope)
);
comment on table mail_suppressions is 'Mail people unsubscribed from.';
comment on column mail_suppressions.scope is 'A kind, a group or everything.';

create table reply_addresses (
  token text primary key,
  person_id uuid not null references people (id) on delete cascade,
  place_kind text not null check (place_kind in ('discussion', 'conversation')),
  place_id uuid not null,
  latest_id uuid,
  used_until timestamptz not null
);
create unique index reply_addresses_of on reply_addresses (person_id, place_kind, place_id);
create index reply_addresses_end on reply_addresses (used_until);
comment on table reply_addresses is 'Addresses that a reply by mail may use.';
