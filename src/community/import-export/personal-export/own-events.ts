import { sql } from "#platform/database";
import { isDatePollVisible, isEventHost } from "#community/calendar";
import { isContentReadable, viewerMembership } from "#community/groups";
import type { SignedIn } from "#community/rules";
import type { PersonalExportPart } from "./personal-rows.ts";

const isPollReadable = isDatePollVisible("dp", "g", "m");
const isReadable = isContentReadable("e", "ends_at", "g", "m");

/**
 * Events and date polls of a person, and their answers. What belongs to others is named only while the person
 * can see it.
 */
export const createEventParts = (me: SignedIn): PersonalExportPart[] => [
  {
    file: "events.json",
    about: "Events you host",
    rows: sql`select e.id, e.title, e.place, o.starts_at as "startsAt", o.ends_at as "endsAt",
      e.time_zone as "timeZone", e.all_day as "allDay", e.online_url as "onlineUrl", e.capacity,
      e.companions, e.answers_until as "answersUntil", e.series_id as "seriesId", e.post_id as "postId",
      e.cancelled_at as "cancelledAt", e.postponed_at as "postponedAt", e.created_at as "createdAt"
      from calendar_events e join calendar_occurrences o on o.event_id = e.id
      where ${isEventHost(me, "e")} order by o.starts_at, o.id`,
  },
  {
    file: "event-answers.json",
    about: "Your answers to events",
    rows: sql`select e.id as "eventId", case when ${isReadable} then e.title end as event,
      case when ${isReadable} then o.starts_at end as "startsAt", a.answer, a.companions, a.note,
      a.answered_at as "answeredAt"
      from attendances a join calendar_occurrences o on o.id = a.occurrence_id
      join calendar_events e on e.id = o.event_id
      join groups g on g.id = e.group_id ${viewerMembership(me, "g", "m")}
      where a.person_id = ${me.id} order by a.answered_at, o.id`,
  },
  {
    file: "date-polls.json",
    about: "Date polls you created",
    rows: sql`select dp.id, dp.title, dp.time_zone as "timeZone", dp.all_day as "allDay",
      (select json_agg(json_build_object('startsAt', t.starts_at, 'endsAt', t.ends_at,
        'eventId', t.event_id) order by t.starts_at) from date_poll_times t where t.poll_id = dp.id) as times,
      dp.closes_at as "closesAt", dp.closed_at as "closedAt", dp.created_at as "createdAt"
      from date_polls dp where dp.host_id = ${me.id} order by dp.created_at, dp.id`,
  },
  {
    file: "date-poll-answers.json",
    about: "Your answers to date polls",
    rows: sql`select dp.id as "datePollId", case when ${isPollReadable} then dp.title end as title,
      case when ${isPollReadable} then t.starts_at end as "startsAt", a.answer,
      a.answered_at as "answeredAt"
      from date_poll_answers a join date_poll_times t on t.id = a.time_id
      join date_polls dp on dp.id = t.poll_id
      join groups g on g.id = dp.group_id ${viewerMembership(me, "g", "m")}
      where a.person_id = ${me.id} order by a.answered_at, t.starts_at`,
  },
];
