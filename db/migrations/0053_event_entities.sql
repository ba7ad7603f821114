-- Events and answers as API entities. Code adds the viewer's visibility.

create view published.events (object_id, created, updated, owner_id, group_id, title, state, reason, starts_at, ends_at, all_day, time_zone, place, online_url, capacity, companions, answers_until, series_id, series_date, discussion_id, occurrence_id, changes, going, maybe, waiting, answer) as
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
    null::text as answer
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

create view published.attendances (object_id, created, updated, owner_id, person_id, event_id, occurrence_id, group_id, answer, companions, note, checked_in_at, mine) as
 select (a.occurrence_id::text || ':') || a.person_id::text as object_id,
    a.answered_at as created,
    null::timestamp with time zone as updated,
    a.person_id as owner_id,
    a.person_id,
    o.event_id,
    a.occurrence_id,
    e.group_id,
    a.answer,
    a.companions,
    a.note,
    a.checked_in_at,
    false as mine
   from attendances a
     join calendar_occurrences o on o.id = a.occurrence_id
     join calendar_events e on e.id = o.event_id;
