-- Date polls: members of a group say which times suit them, and the host turns one of them into an event.

create table date_polls (
  id uuid primary key,
  group_id uuid not null references groups (id) on delete cascade,
  host_id uuid not null references people (id),
  title text not null check (char_length(title) between 5 and 120),
  time_zone text not null check (char_length(time_zone) between 1 and 60),
  all_day boolean not null,
  ends_at timestamptz not null,
  closes_at timestamptz,
  closed_at timestamptz,
  closed_by uuid references people (id),
  client_id uuid,
  created_at timestamptz not null,
  check ((closed_at is null) = (closed_by is null))
);
create index date_polls_of_group on date_polls (group_id, created_at);
create index date_polls_of_host on date_polls (host_id, created_at);
create unique index date_polls_sent_once on date_polls (host_id, client_id) where (client_id is not null);
create index date_polls_closed_by on date_polls (closed_by) where (closed_by is not null);
comment on table date_polls is 'Polls among the members of a group for the time of an event.';
comment on column date_polls.time_zone is 'IANA name of the zone in which its times are meant.';
comment on column date_polls.ends_at is 'End of the last of its times.';
comment on column date_polls.closes_at is 'Deadline for answers; null: until the last of its times is over.';
comment on column date_polls.closed_at is 'When someone closed it, or turned one of its times into an event.';

create table date_poll_times (
  id uuid primary key,
  poll_id uuid not null references date_polls (id) on delete cascade,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  event_id uuid references calendar_events (id) on delete set null,
  check (starts_at < ends_at),
  unique (poll_id, starts_at)
);
create index date_poll_times_of_event on date_poll_times (event_id) where (event_id is not null);
comment on table date_poll_times is 'The times that a date poll offers.';
comment on column date_poll_times.event_id is 'The event that was made of this time.';

create table date_poll_answers (
  time_id uuid references date_poll_times (id) on delete cascade,
  person_id uuid references people (id) on delete cascade,
  answer text not null check (answer in ('yes', 'if_need_be', 'no')),
  answered_at timestamptz not null,
  primary key (time_id, person_id)
);
create index date_poll_answers_of_person on date_poll_answers (person_id);
comment on table date_poll_answers is 'Answers of people to the times of date polls.';

alter table notifications drop constraint notifications_object_kind_check;
alter table notifications add constraint notifications_object_kind_check check (object_kind in
  ('discussion', 'conversation', 'group', 'resource', 'person', 'announcement', 'report', 'search', 'event',
   'date_poll'));
