-- Phones and browsers on which programs tell somebody something, each by the token that its maker gave it.
create table devices (
  id uuid primary key,
  -- What its program calls it: whoever knows this speaks for the device.
  device_id text collate "C" not null unique check (char_length(device_id) between 1 and 200),
  os text not null check (char_length(os) between 1 and 20),
  -- Whose house brings a push there.
  way text not null check (way in ('apns', 'fcm', 'web')),
  os_version text not null check (char_length(os_version) <= 100),
  token text not null check (char_length(token) between 1 and 4096),
  -- A token may be longer than an index takes.
  token_hash bytea not null unique,
  -- Who was signed in when it was registered.
  person_id uuid references people (id) on delete cascade,
  expires_at timestamptz,
  created_at timestamptz not null,
  renewed_at timestamptz not null
);
create index devices_of_person on devices (person_id, renewed_at) where person_id is not null;
create index devices_renewed on devices (renewed_at);
create index devices_expiring on devices (expires_at) where expires_at is not null;

create table device_channels (
  channel text collate "C" not null check (char_length(channel) between 1 and 100),
  registration_id uuid not null references devices (id) on delete cascade,
  primary key (channel, registration_id)
);
create index device_channels_of_device on device_channels (registration_id);

-- A message on its way to devices. One that is repeated has a row for each time.
create table pushes (
  id uuid primary key,
  message_id uuid not null,
  -- To whom: devices of a channel (or of none in particular), of these systems, and those that are named.
  channel text collate "C",
  broad boolean not null,
  oses text[],
  device_ids text[] not null,
  -- JSON of what devices are shown.
  content text not null,
  -- Nobody but devices hears of it.
  alone boolean not null,
  created_at timestamptz not null,
  -- When there is something to be done next. Whoever does it puts this off for as long as that may take.
  due_at timestamptz,
  ended_at timestamptz,
  -- Devices are told in the order of their ids: up to this one they have been taken.
  taken_to uuid not null,
  taken_all boolean not null default false,
  taken integer not null default 0,
  reached integer not null default 0,
  gone integer not null default 0,
  refused integer not null default 0,
  -- Of these nobody knows whether they were told.
  lost integer not null default 0,
  check ((due_at is null) = (ended_at is not null))
);
create index pushes_due on pushes (due_at) where due_at is not null;
create index pushes_of_message on pushes (message_id, id);
create index pushes_ended on pushes (ended_at) where ended_at is not null;

-- One push and one device: written down as `sending` before anything is sent, so that a process that ends there cannot have it sent twice. Of
-- devices that were told nothing stays but their number: the push knows how far it has come.
create table push_deliveries (
  push_id uuid not null references pushes (id) on delete cascade,
  registration_id uuid not null,
  way text not null,
  state text not null check (state in ('sending', 'waiting', 'refused')),
  tries integer not null default 1,
  claimed_at timestamptz not null,
  due_at timestamptz,
  reason text,
  primary key (push_id, registration_id),
  check ((state = 'waiting') = (due_at is not null))
);
create index push_deliveries_open on push_deliveries (push_id, state) where state in ('sending', 'waiting');
create index push_deliveries_refused on push_deliveries (way, claimed_at) where state = 'refused';

-- What can be pushed by its name, with blanks that are filled in each time.
create table push_templates (
  name text collate "C" primary key check (char_length(name) between 1 and 100),
  os text not null check (os in ('ALL', 'IOS', 'ANDROID', 'WEB')),
  channel text collate "C" check (char_length(channel) between 1 and 100),
  title text not null check (char_length(title) <= 200),
  subtitle text not null check (char_length(subtitle) <= 200),
  body text not null check (char_length(body) between 1 and 1000),
  sound text not null check (char_length(sound) <= 100),
  badge integer check (badge between 0 and 99999),
  -- For the program on the device: texts by their names.
  headers jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
