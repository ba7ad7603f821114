import { sql } from "#platform/database";
import type { RecordQuery } from "../writing/archive-lines.ts";
import { isGroupExported } from "./exported-content.ts";
import { isExportedPerson } from "./exported-people.ts";
import { ISO_FORMAT } from "./post-columns.ts";

const joinGroup = (alias: string) =>
  sql`join groups g on g.id = ${sql.ref(`${alias}.group_id`)} and ${isGroupExported}`;

/** The post that describes an event, if it is exported. */
const descriptionColumn = (alias: string) => sql`
  (select p.id from posts p join discussions d on d.id = p.discussion_id and d.state <> 'deleted'
    join groups h on h.id = d.group_id and h.state <> 'deleted'
    where p.id = ${sql.ref(`${alias}.post_id`)})`;

const iso = (column: string) => sql`to_char(${sql.ref(column)} at time zone 'UTC', ${ISO_FORMAT})`;
const CLOCK_FORMAT = 'YYYY-MM-DD"T"HH24:MI:SS';
const clock = (column: string) => sql`to_char(${sql.ref(column)}, ${CLOCK_FORMAT})`;

/** Events of groups with their series and answers, and date polls. */
export const CALENDAR_TABLES: RecordQuery[] = [
  {
    kind: "event-series",
    rows: sql`
      select s.id, s.group_id as "group", s.host_id as host, ${descriptionColumn("s")} as post, s.frequency,
        nullif(s.every, 1) as every, nullif(to_json(s.weekdays)::text, '[]')::json as weekdays,
        nullif(s.month_day, 'date') as "monthDay", s.last_day::text as "lastDay",
        s.planned_until::text as "plannedUntil", ${clock("s.starts")} as starts, ${clock("s.ends")} as ends,
        ${clock("s.answers_until")} as "answersUntil", s.title, s.time_zone as "timeZone",
        case when s.all_day then true end as "allDay", s.place, s.online_url as "onlineUrl", s.capacity,
        nullif(s.companions, 0) as companions, s.created_at as "createdAt"
      from event_series s ${joinGroup("s")} order by s.id`,
  },
  {
    kind: "event",
    rows: sql`
      select e.id, e.group_id as "group", e.host_id as host,
        (select json_agg(json_build_object('user', h.person_id, 'createdAt', ${iso("h.added_at")})
          order by h.added_at, h.person_id) from event_hosts h
          join people who on who.id = h.person_id and ${isExportedPerson("who")}
          where h.event_id = e.id) as hosts,
        ${descriptionColumn("e")} as post, nullif(e.audience, 'group') as audience, o.id as occurrence,
        o.starts_at as "startsAt", o.ends_at as "endsAt", e.title, e.time_zone as "timeZone",
        case when e.all_day then true end as "allDay", e.place, e.online_url as "onlineUrl", e.capacity,
        nullif(e.companions, 0) as companions, e.answers_until as "answersUntil", e.series_id as series,
        e.series_date::text as "seriesDate", nullif(e.changes, 0) as changes, e.changed_at as "changedAt",
        e.cancelled_at as "cancelledAt", e.cancelled_by as "cancelledBy",
        e.cancelled_reason as "cancelledReason", e.postponed_at as "postponedAt",
        e.postponed_by as "postponedBy", e.postponed_reason as "postponedReason",
        e.created_at as "createdAt"
      from calendar_events e join calendar_occurrences o on o.event_id = e.id ${joinGroup("e")}
      order by e.id, o.id`,
  },
  {
    kind: "attendance",
    rows: sql`
      select o.event_id as event, a.person_id as "user", a.answer, nullif(a.companions, 0) as companions,
        a.note, a.waiting_number as "waitingNumber", a.checked_in_at as "checkedInAt",
        a.checked_in_by as "checkedInBy", a.answered_at as "createdAt"
      from attendances a join calendar_occurrences o on o.id = a.occurrence_id
      join calendar_events e on e.id = o.event_id ${joinGroup("e")}
      join people who on who.id = a.person_id and ${isExportedPerson("who")}
      order by o.event_id, a.person_id`,
  },
  {
    kind: "date-poll",
    rows: sql`
      select y.id, y.group_id as "group", y.host_id as host, y.title, y.time_zone as "timeZone",
        case when y.all_day then true end as "allDay",
        (select json_agg(json_strip_nulls(json_build_object('id', t.id, 'startsAt', ${iso("t.starts_at")},
          'endsAt', ${iso("t.ends_at")}, 'event', t.event_id)) order by t.starts_at)
          from date_poll_times t where t.poll_id = y.id) as times,
        y.closes_at as "closesAt", y.closed_at as "closedAt", y.closed_by as "closedBy",
        y.created_at as "createdAt"
      from date_polls y ${joinGroup("y")} order by y.id`,
  },
  {
    kind: "date-poll-answer",
    rows: sql`
      select t.poll_id as poll, a.person_id as "user", t.position as "time", a.answer,
        a.answered_at as "createdAt"
      from (select id, poll_id,
          row_number() over (partition by poll_id order by starts_at)::int as position
        from date_poll_times) t
      join date_poll_answers a on a.time_id = t.id
      join date_polls y on y.id = t.poll_id ${joinGroup("y")}
      join people who on who.id = a.person_id and ${isExportedPerson("who")}
      order by t.poll_id, t.position, a.person_id`,
  },
];
