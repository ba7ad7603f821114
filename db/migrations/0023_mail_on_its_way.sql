-- A mail is kept as words and gets its face when it leaves; it knows whom it is for, which mails it stands with, and what
-- became of it.
alter table mails
  alter column body_html set default '',
  add column letter jsonb,
  add column kind text not null default 'account' check (kind in ('account', 'notice', 'digest', 'answer')),
  add column person_id uuid references people (id) on delete cascade,
  add column headers jsonb not null default '{}',
  -- The name under which other houses know it, without the host: the same each time it is sent.
  add column message_id text,
  -- Somebody is handing it over at this moment, or did before their process ended.
  add column claimed_at timestamptz,
  add column given_up_at timestamptz,
  add column failure text;
create unique index mails_message_id on mails (message_id) where message_id is not null;
create index mails_of_person on mails (person_id, created_at) where person_id is not null;
create index mails_by_host on mails (lower(split_part(recipient, '@', 2)), claimed_at) where claimed_at is not null;

-- Addresses that send mail back: at a score of four we stop writing of what can wait.
create table mail_bounces (
  address_hash bytea primary key,
  score integer not null,
  last_at timestamptz not null
);

-- What somebody wants no mail about: 'digest', or a place by kind and id ('discussion:…', 'group:…', 'conversation:…').
create table mail_stops (
  person_id uuid not null references people (id) on delete cascade,
  scope text not null check (char_length(scope) <= 60),
  at timestamptz not null,
  primary key (person_id, scope)
);

-- Whose answer comes to an address that a mail named, and where it goes.
create table reply_addresses (
  token text primary key,
  person_id uuid not null references people (id) on delete cascade,
  place_kind text not null check (place_kind in ('discussion', 'conversation')),
  place_id uuid not null,
  -- What was last mailed from there: the post that is answered.
  latest_id uuid,
  used_until timestamptz not null
);
create unique index reply_addresses_of on reply_addresses (person_id, place_kind, place_id);
create index reply_addresses_end on reply_addresses (used_until);

-- Mail that has come in, by the hash of its name: what is delivered twice is read once.
create table mails_received (
  message_hash bytea primary key,
  received_at timestamptz not null
);
create index mails_received_age on mails_received (received_at);

-- Digests that were made, or looked at and found empty: once for each person and period.
create table digests (
  person_id uuid not null references people (id) on delete cascade,
  period text not null check (char_length(period) <= 20),
  made_at timestamptz not null,
  mailed boolean not null,
  primary key (person_id, period)
);
create index digests_age on digests (made_at);
