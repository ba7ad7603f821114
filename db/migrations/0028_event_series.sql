-- Series of events. Each date of a series is an event of its own, with its own places and answers.

create table event_series (
  id uuid primary key,
  group_id uuid not null references groups (id) on delete cascade,
  host_id uuid not null references people (id),
  post_id uuid references posts (id) on delete set null,
  frequency text not null check (frequency in ('daily', 'weekly', 'monthly', 'yearly')),
  every integer not null check (every between 1 and 99),
  weekdays smallint[] not null check (weekdays <@ array[1, 2, 3, 4, 5, 6, 7]::smallint[]),
  month_day text not null check (month_day in ('date', 'weekday', 'last_weekday')),
  last_day date,
  planned_until date not null,
  title text not null check (char_length(title) between 5 and 120),
  time_zone text not null check (char_length(time_zone) between 1 and 60),
  all_day boolean not null,
  starts timestamp not null,
  ends timestamp not null,
  answers_until timestamp,
  place text not null check (char_length(place) <= 200),
  online_url text check (char_length(online_url) <= 2000),
  capacity integer check (capacity between 1 and 100000),
  companions integer not null check (companions between 0 and 5),
  created_at timestamptz not null,
  check (starts <= ends)
);
create index event_series_of_group on event_series (group_id);
create index event_series_of_host on event_series (host_id);
create index event_series_by_post on event_series (post_id) where (post_id is not null);
create index event_series_to_plan on event_series (planned_until) where (last_day is null);
comment on table event_series is 'Series of events: how they repeat, and the values of their dates.';
comment on column event_series.every is 'Interval in units of frequency: 2 for every other week.';
comment on column event_series.weekdays is 'Weekly series: 1 for Monday to 7 for Sunday.';
comment on column event_series.month_day is
  'Monthly series: same day of the month, same weekday (second Tuesday), or last such weekday.';
comment on column event_series.last_day is 'Last possible date; null: goes on until someone ends it.';
comment on column event_series.planned_until is 'Dates up to this day exist as events.';
comment on column event_series.starts is 'First start, by the clock of time_zone; further dates keep it.';

alter table calendar_events
  add column series_id uuid references event_series (id) on delete cascade,
  add column series_date date,
  add constraint calendar_events_series_date check ((series_id is null) = (series_date is null)),
  add constraint calendar_events_of_series unique (series_id, series_date) deferrable;
comment on column calendar_events.series_date is
  'Its date by the rule of the series, even when it was moved to another.';
