-- The calendar: events of groups, their occurrences, and who comes.

create table calendar_events (
  id uuid primary key,
  group_id uuid not null references groups (id) on delete cascade,
  host_id uuid not null references people (id),
  post_id uuid references posts (id) on delete set null,
  audience text not null default 'group' check (audience in ('group', 'members')),
  title text not null check (char_length(title) between 5 and 120),
  time_zone text not null check (char_length(time_zone) between 1 and 60),
  all_day boolean not null,
  ends_at timestamptz not null,
  place text not null check (char_length(place) <= 200),
  online_url text check (char_length(online_url) <= 2000),
  capacity integer check (capacity between 1 and 100000),
  companions integer not null check (companions between 0 and 5),
  answers_until timestamptz,
  changes integer not null default 0,
  created_at timestamptz not null,
  cancelled_at timestamptz,
  cancelled_by uuid references people (id),
  cancelled_reason text not null default '' check (char_length(cancelled_reason) <= 300),
  check ((cancelled_at is null) = (cancelled_by is null))
);
create index calendar_events_of_group on calendar_events (group_id);
create index calendar_events_of_host on calendar_events (host_id);
create index calendar_events_by_post on calendar_events (post_id) where (post_id is not null);
create index calendar_events_cancelled_by on calendar_events (cancelled_by) where (cancelled_by is not null);
comment on table calendar_events is 'Events in the calendars of groups.';
comment on column calendar_events.post_id is 'First post of its discussion: the description.';
comment on column calendar_events.audience is 'group: whoever reads the group; members: its members.';
comment on column calendar_events.time_zone is 'IANA name of the zone in which its times are meant.';
comment on column calendar_events.ends_at is 'End of the last occurrence.';
comment on column calendar_events.online_url is 'Address of the call, shown to people who are going.';
comment on column calendar_events.capacity is 'Places, companions included; null: no limit.';
comment on column calendar_events.companions is 'How many people one person may bring.';
comment on column calendar_events.changes is 'Counts edits; a form of an older count is refused.';

create table calendar_occurrences (
  id uuid primary key,
  event_id uuid not null references calendar_events (id) on delete cascade,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  check (starts_at < ends_at)
);
create index calendar_occurrences_of_event on calendar_occurrences (event_id, starts_at);
create index calendar_occurrences_in_order on calendar_occurrences (starts_at, id);
comment on table calendar_occurrences is 'Dates of events; answers belong to one of them.';

create table attendances (
  occurrence_id uuid references calendar_occurrences (id) on delete cascade,
  person_id uuid references people (id) on delete cascade,
  answer text not null check (answer in ('going', 'maybe', 'declined', 'waiting')),
  companions integer not null default 0 check (companions between 0 and 5),
  note text not null default '' check (char_length(note) <= 200),
  waiting_number integer,
  answered_at timestamptz not null,
  primary key (occurrence_id, person_id),
  check ((answer = 'waiting') = (waiting_number is not null))
);
create index attendances_in_order on attendances (occurrence_id, answer, answered_at, person_id)
  include (companions);
create index attendances_of_person on attendances (person_id);
create unique index attendances_waiting on attendances (occurrence_id, waiting_number)
  where (waiting_number is not null);
comment on table attendances is 'Answers of people to occurrences of events.';
comment on column attendances.waiting_number is 'Order in the waiting list.';
comment on column attendances.note is 'For the host.';
