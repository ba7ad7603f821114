-- Messaging of API clients: channels, devices, push, email.

create table channels (
  name text collate "C" primary key check (char_length(name) between 1 and 100),
  created_at timestamptz not null,
  used_at timestamptz not null
);
comment on table channels is 'Channels that API clients use.';

create unlogged table published_messages (
  id uuid primary key,
  channel text collate "C" not null,
  error text,
  failed boolean not null,
  at timestamptz not null
);
create index published_messages_at on published_messages (at);
comment on table published_messages is 'Status of published messages.';

create table scheduled_messages (
  id uuid primary key,
  channel text collate "C" not null,
  person_id uuid references people (id),
  content text not null,
  state text not null check (state in ('scheduled', 'published', 'cancelled', 'failed')),
  due_at timestamptz,
  repeat_every integer check (repeat_every > 0),
  expires_at timestamptz,
  times integer not null default 0,
  error text,
  created_at timestamptz not null,
  ended_at timestamptz,
  check ((state = 'scheduled') = (due_at is not null)),
  constraint scheduled_messages_check1 check ((state = 'scheduled') = (ended_at is null))
);
create index scheduled_messages_due on scheduled_messages (due_at, id) where (due_at is not null);
create index scheduled_messages_person on scheduled_messages (person_id);
create index scheduled_messages_channel on scheduled_messages (channel) where (due_at is not null);
comment on table scheduled_messages is 'Messages to publish later.';

create table devices (
  id uuid primary key,
  device_id text collate "C" not null check (char_length(device_id) between 1 and 200) unique,
  os text not null check (char_length(os) between 1 and 20),
  way text not null check (way in ('apns', 'fcm', 'web')),
  os_version text not null check (char_length(os_version) <= 100),
  token text not null check (char_length(token) between 1 and 4096),
  token_hash bytea not null unique,
  person_id uuid references people (id) on delete cascade,
  expires_at timestamptz,
  created_at timestamptz not null,
  renewed_at timestamptz not null
);
create index devices_of_person on devices (person_id, renewed_at) where (person_id is not null);
create index devices_renewed on devices (renewed_at);
create index devices_expiring on devices (expires_at) where (expires_at is not null);
comment on table devices is 'Devices registered for push by API clients.';

create table device_channels (
  channel text collate "C" check (char_length(channel) between 1 and 100),
  registration_id uuid references devices (id) on delete cascade,
  primary key (channel, registration_id)
);
create index device_channels_of_device on device_channels (registration_id);
comment on table device_channels is 'Channels of devices.';

create table push_templates (
  name text collate "C" primary key check (char_length(name) between 1 and 100),
  os text not null check (os in ('ALL', 'IOS', 'ANDROID', 'WEB')),
  channel text collate "C" check (char_length(channel) between 1 and 100),
  title text not null check (char_length(title) <= 200),
  subtitle text not null check (char_length(subtitle) <= 200),
  body text not null check (char_length(body) between 1 and 1000),
  sound text not null check (char_length(sound) <= 100),
  badge integer check (badge between 0 and 99999),
  headers jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
comment on table push_templates is 'Push templates.';

create table pushes (
  id uuid primary key,
  message_id uuid not null,
  channel text collate "C",
  broad boolean not null,
  oses text[],
  device_ids text[] not null,
  content text not null,
  alone boolean not null,
  created_at timestamptz not null,
  due_at timestamptz,
  ended_at timestamptz,
  taken_to uuid not null,
  taken_all boolean not null default false,
  taken integer not null default 0,
  reached integer not null default 0,
  gone integer not null default 0,
  refused integer not null default 0,
  lost integer not null default 0,
  check ((due_at is null) = (ended_at is not null))
);
create index pushes_due on pushes (due_at) where (due_at is not null);
create index pushes_of_message on pushes (message_id, id);
create index pushes_ended on pushes (ended_at) where (ended_at is not null);
comment on table pushes is 'Push notifications under way.';
comment on column pushes.taken_to is 'Last device taken: they go in the order of their ids.';

create table push_deliveries (
  push_id uuid references pushes (id) on delete cascade,
  registration_id uuid,
  way text not null,
  state text not null check (state in ('sending', 'waiting', 'refused')),
  tries integer not null default 1,
  claimed_at timestamptz not null,
  due_at timestamptz,
  reason text,
  check ((state = 'waiting') = (due_at is not null)),
  primary key (push_id, registration_id)
);
create index push_deliveries_open on push_deliveries (push_id, state) where (state in ('sending', 'waiting'));
create index push_deliveries_refused on push_deliveries (way, claimed_at) where (state = 'refused');
comment on table push_deliveries is 'Devices being notified, and refusals.';

create table mail_templates (
  id uuid primary key,
  name text collate "C" not null check (char_length(name) between 1 and 100) unique,
  subject text not null check (char_length(subject) <= 1000),
  body_text text not null check (char_length(body_text) <= 200000),
  body_html text not null check (char_length(body_html) <= 500000),
  created_at timestamptz not null,
  updated_at timestamptz not null
);
comment on table mail_templates is 'Email templates.';

create table api_emails (
  id uuid primary key,
  person_id uuid references people (id) on delete cascade,
  subject text not null,
  template text,
  error text,
  created_at timestamptz not null,
  cancelled_at timestamptz
);
create index api_emails_person on api_emails (person_id) where (person_id is not null);
create index api_emails_latest on api_emails (created_at desc, id desc);
comment on table api_emails is 'Emails sent by API clients.';
