-- Who may create events in a group, and events that are postponed.

alter table groups add column events_by text not null default 'members'
  check (events_by in ('members', 'established', 'moderators'));
comment on column groups.events_by is 'Who creates events, of those who may start discussions.';

alter table calendar_events
  add column postponed_at timestamptz,
  add column postponed_by uuid references people (id),
  add column postponed_reason text not null default '' check (char_length(postponed_reason) <= 300),
  add constraint calendar_events_postponed check ((postponed_at is null) = (postponed_by is null));
create index calendar_events_postponed_by on calendar_events (postponed_by) where (postponed_by is not null);
comment on column calendar_events.postponed_at is 'Postponed without a new date, which an edit sets.';
