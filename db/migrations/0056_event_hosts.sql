-- Several hosts of an event. The first one stays in calendar_events.host_id, so that each event has one.

create table event_hosts (
  event_id uuid references calendar_events (id) on delete cascade,
  person_id uuid references people (id) on delete cascade,
  added_at timestamptz not null,
  primary key (event_id, person_id)
);
create index event_hosts_of_person on event_hosts (person_id);
comment on table event_hosts is 'Hosts of events beside the first one, who is calendar_events.host_id.';
comment on column event_hosts.added_at is 'The longest-serving of them replaces a first host who leaves.';

create or replace view published.events (object_id, created, updated, owner_id, group_id, title, state, reason, starts_at, ends_at, all_day, time_zone, place, online_url, capacity, companions, answers_until, series_id, series_date, discussion_id, occurrence_id, changes, going, maybe, waiting, answer, host_ids) as
 select e.id as object_id,
    e.created_at as created,
    e.changed_at as updated,
    e.host_id as owner_id,
    e.group_id,
    e.title,
    case
      when e.cancelled_at is not null then 'cancelled'
      when e.postponed_at is not null then 'postponed'
      else 'scheduled'
    end as state,
    case when e.cancelled_at is not null then e.cancelled_reason else e.postponed_reason end as reason,
    o.starts_at,
    o.ends_at,
    e.all_day,
    e.time_zone,
    e.place,
    e.online_url,
    e.capacity,
    e.companions,
    e.answers_until,
    e.series_id,
    e.series_date::text as series_date,
    d.id as discussion_id,
    o.id as occurrence_id,
    e.changes,
    coalesce(a.going, 0)::integer as going,
    coalesce(a.maybe, 0)::integer as maybe,
    coalesce(a.waiting, 0)::integer as waiting,
    null::text as answer,
    null::jsonb as host_ids
   from calendar_events e
     join calendar_occurrences o on o.event_id = e.id
     left join posts p on p.id = e.post_id
     left join discussions d on d.id = p.discussion_id and d.group_id = e.group_id
     left join lateral (
       select sum(1 + t.companions) filter (where t.answer = 'going') as going,
          sum(1 + t.companions) filter (where t.answer = 'maybe') as maybe,
          sum(1 + t.companions) filter (where t.answer = 'waiting') as waiting
         from attendances t
        where t.occurrence_id = o.id) a on true;
