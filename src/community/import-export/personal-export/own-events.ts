import { sql } from "#platform/database";
import { isContentReadable, viewerMembership } from "#community/groups";
import type { SignedIn } from "#community/rules";
import type { OwnPart } from "./personal-rows.ts";

const isReadable = isContentReadable("e", "ends_at", "g", "m");

/** Events of a person, and their answers. An event of others is named only while the person can see it. */
export const createEventParts = (me: SignedIn): OwnPart[] => [
  {
    file: "events.json",
    about: "Events you host",
    rows: sql`select e.id, e.title, e.place, o.starts_at as "startsAt", o.ends_at as "endsAt",
      e.time_zone as "timeZone", e.all_day as "allDay", e.online_url as "onlineUrl", e.capacity,
      e.companions, e.answers_until as "answersUntil", e.series_id as "seriesId", e.post_id as "postId",
      e.cancelled_at as "cancelledAt", e.postponed_at as "postponedAt", e.created_at as "createdAt"
      from calendar_events e join calendar_occurrences o on o.event_id = e.id
      where e.host_id = ${me.id} order by o.starts_at, o.id`,
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
];
