-- Events from calendar files, and from calendars that a group subscribes to.

create table calendar_subscriptions (
  id uuid primary key,
  group_id uuid not null references groups (id) on delete cascade,
  added_by uuid not null references people (id),
  url text not null check (char_length(url) between 8 and 2000),
  name text not null default '' check (char_length(name) <= 120),
  time_zone text not null check (char_length(time_zone) between 1 and 60),
  etag text check (char_length(etag) <= 300),
  last_modified text check (char_length(last_modified) <= 100),
  due_at timestamptz not null,
  read_at timestamptz,
  compared_at timestamptz,
  error text check (char_length(error) <= 40),
  skipped jsonb not null default '[]',
  created_at timestamptz not null,
  unique (group_id, url)
);
create index calendar_subscriptions_due on calendar_subscriptions (due_at);
create index calendar_subscriptions_added_by on calendar_subscriptions (added_by);
comment on table calendar_subscriptions is 'Calendars on other sites whose events a group shows.';
comment on column calendar_subscriptions.time_zone is 'IANA name of the zone of times without one.';
comment on column calendar_subscriptions.read_at is 'When it was last read without an error.';
comment on column calendar_subscriptions.compared_at is
  'When its events were last compared. An unchanged calendar is not, unless that is long ago.';
comment on column calendar_subscriptions.error is 'Why the last attempt failed; null: it did not.';
comment on column calendar_subscriptions.skipped is 'Events that were left out, with the reason.';

create table event_imports (
  id uuid primary key,
  group_id uuid not null references groups (id) on delete cascade,
  person_id uuid not null references people (id) on delete cascade,
  file_name text not null default '' check (char_length(file_name) <= 200),
  entries jsonb,
  skipped jsonb not null default '[]',
  counts jsonb not null default '{}',
  created_at timestamptz not null,
  finished_at timestamptz,
  undone_at timestamptz
);
create index event_imports_of_group on event_imports (group_id, created_at);
create index event_imports_of_person on event_imports (person_id, created_at);
create index event_imports_unfinished on event_imports (created_at) where (finished_at is null);
comment on table event_imports is 'Calendar files that people import into groups.';
comment on column event_imports.entries is 'Events of the file until the import; null afterwards.';

create table imported_events (
  event_id uuid primary key references calendar_events (id) on delete cascade,
  group_id uuid not null references groups (id) on delete cascade,
  uid text not null check (char_length(uid) between 1 and 200),
  date text not null check (char_length(date) <= 40),
  digest text not null check (char_length(digest) <= 64),
  text text not null default '' check (char_length(text) <= 4000),
  import_id uuid references event_imports (id) on delete set null,
  subscription_id uuid references calendar_subscriptions (id) on delete set null,
  unique (group_id, uid, date)
);
create index imported_events_of_import on imported_events (import_id) where (import_id is not null);
create index imported_events_of_subscription on imported_events (subscription_id)
  where (subscription_id is not null);
comment on table imported_events is 'Which events come from a calendar file or a subscribed calendar.';
comment on column imported_events.date is 'Date of a repeating event by its rule; empty for a single event.';
comment on column imported_events.digest is 'Digest of its values in the calendar: edits here stay until they change.';
comment on column imported_events.text is 'Description from the calendar, as plain text.';

-- Titles in other calendars are often shorter than the five characters that the form requires.
alter table calendar_events drop constraint calendar_events_title_check;
alter table calendar_events add constraint calendar_events_title_check
  check (char_length(title) between 1 and 120);
