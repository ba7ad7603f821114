import { sql } from "#platform/database";
import { isDatePollOpen, isDatePollVisible } from "#community/calendar";
import { isContentReadable, joinMembership } from "#community/groups";
import type { NotificationTrigger } from "./notification-trigger.ts";

type Sql = ReturnType<typeof sql>;
type CalendarEventFacts = { eventId: string; by: string };
type OccurrenceFacts = { eventId: string; occurrenceId: string };

/** Joins the event `e` for each candidate who can see it. */
const joinVisibleEvent = (eventId: string) => sql`
  join calendar_events e on e.id = ${eventId}
  join groups g on g.id = e.group_id ${joinMembership(sql`c.person_id`, "g", "m")}
  where ${isContentReadable("e", "ends_at", "g", "m")}`;

const aboutEvent = (latest: string | null) => ({
  object: { kind: "event" as const, id: sql`e.id` },
  latest,
});

/**
 * Notifies group members of a new event, if their notification level is `all` or `highlights`, and members
 * whose answers to a date poll became answers to the event.
 */
export const eventCreatedTrigger = ({ eventId, by }: CalendarEventFacts, item: Sql): NotificationTrigger => ({
  candidates: sql`
    select m.person_id, 1 as rank, 'new_event' as kind,
      case m.notify_level when 'all' then 'group_all' else 'member' end as reason
    from calendar_events e join memberships m on m.group_id = e.group_id and m.state = 'member'
    where e.id = ${eventId} and m.notify_level in ('all', 'highlights')
    union all select a.person_id, 0 as rank, 'event_date' as kind, 'you_answered' as reason
    from date_poll_times t join date_poll_answers a on a.time_id = t.id and a.answer <> 'no'
    where t.event_id = ${eventId}`,
  visibility: sql`${joinVisibleEvent(eventId)} and e.cancelled_at is null`,
  ...aboutEvent(null),
  actor: by,
  item,
  moment: sql`(select min(o.starts_at) from calendar_occurrences o where o.event_id = e.id)`,
});

/** Notifies group members of a date poll, if their notification level is `all` or `highlights`. */
export const datePollCreatedTrigger = (
  { datePollId, by }: { datePollId: string; by: string },
  item: Sql,
  now: Date,
): NotificationTrigger => ({
  candidates: sql`
    select m.person_id, 1 as rank, 'new_date_poll' as kind,
      case m.notify_level when 'all' then 'group_all' else 'member' end as reason
    from date_polls dp join memberships m on m.group_id = dp.group_id and m.state = 'member'
    where dp.id = ${datePollId} and m.notify_level in ('all', 'highlights')`,
  visibility: sql`
    join date_polls dp on dp.id = ${datePollId}
    join groups g on g.id = dp.group_id ${joinMembership(sql`c.person_id`, "g", "m")}
    where ${isDatePollVisible("dp", "g", "m")} and ${isDatePollOpen("dp", now)}`,
  object: { kind: "date_poll", id: sql`dp.id` },
  latest: null,
  actor: by,
  item,
  moment: sql`dp.closes_at`,
});

/**
 * Notifies everyone who answered the event, except the actor. The actor is not named, so that blocks do not
 * prevent the notification.
 */
const createChangeTrigger =
  (detail: "moved" | "postponed" | "cancelled", holds: Sql, words: Sql) =>
  ({ eventId, by }: CalendarEventFacts, item: Sql): NotificationTrigger => ({
    candidates: sql`
      select a.person_id, 1 as rank, 'event_changed' as kind, 'you_answered' as reason
      from attendances a join calendar_occurrences o on o.id = a.occurrence_id
      where o.event_id = ${eventId} and a.person_id <> ${by}`,
    visibility: sql`${joinVisibleEvent(eventId)} and ${holds}`,
    ...aboutEvent(null),
    actor: null,
    item,
    detail: sql`${detail}`,
    words,
    moment: sql`(select min(o.starts_at) from calendar_occurrences o where o.event_id = e.id)`,
  });

const eventMovedTrigger = createChangeTrigger(
  "moved",
  sql`e.cancelled_at is null and e.postponed_at is null`,
  sql`''`,
);
/** Notifies people of an edited event, only if its time or location has changed. */
export const eventEditedTrigger = (it: CalendarEventFacts & { moved: boolean }, item: Sql) => {
  const trigger = eventMovedTrigger(it, item);
  return it.moved ? trigger : { ...trigger, visibility: sql`${trigger.visibility} and false` };
};
export const eventPostponedTrigger = createChangeTrigger(
  "postponed",
  sql`e.postponed_at is not null`,
  sql`e.postponed_reason`,
);
export const eventCancelledTrigger = createChangeTrigger(
  "cancelled",
  sql`e.cancelled_at is not null`,
  sql`e.cancelled_reason`,
);

type SeriesFacts = { seriesId: string; by: string; at: string };

/**
 * Notifies everyone who answered dates of a series that changed at the time `at`, once, about the first date
 * that they answered.
 */
const createSeriesTrigger =
  (detail: "moved" | "cancelled", concerned: (at: string) => Sql, words: Sql) =>
  ({ seriesId, by, at }: SeriesFacts, item: Sql): NotificationTrigger => ({
    candidates: sql`
      select distinct a.person_id, 1 as rank, 'event_changed' as kind, 'you_answered' as reason
      from attendances a join calendar_occurrences o on o.id = a.occurrence_id
      join calendar_events e on e.id = o.event_id
      where e.series_id = ${seriesId} and ${concerned(at)} and a.person_id <> ${by}`,
    visibility: sql`
      join lateral (
        select e.id, o.starts_at from attendances a join calendar_occurrences o on o.id = a.occurrence_id
        join calendar_events e on e.id = o.event_id
        where e.series_id = ${seriesId} and ${concerned(at)} and a.person_id = c.person_id
        order by o.starts_at limit 1) first on true
      join calendar_events e on e.id = first.id
      join groups g on g.id = e.group_id ${joinMembership(sql`c.person_id`, "g", "m")}
      where ${isContentReadable("e", "ends_at", "g", "m")}`,
    ...aboutEvent(null),
    actor: null,
    item,
    detail: sql`${detail}`,
    words,
    moment: sql`first.starts_at`,
  });

const seriesMovedTrigger = createSeriesTrigger(
  "moved",
  (at) => sql`e.changed_at = ${at} and e.cancelled_at is null and e.postponed_at is null`,
  sql`''`,
);
/** Notifies people of an edited series, only if its time or location has changed. */
export const seriesEditedTrigger = (it: SeriesFacts & { moved: boolean }, item: Sql) => {
  const trigger = seriesMovedTrigger(it, item);
  return it.moved ? trigger : { ...trigger, visibility: sql`${trigger.visibility} and false` };
};
export const seriesCancelledTrigger = createSeriesTrigger(
  "cancelled",
  (at) => sql`e.cancelled_at = ${at}`,
  sql`e.cancelled_reason`,
);

export const waitingListTrigger = (
  { eventId, occurrenceId, movedUpId }: OccurrenceFacts & { movedUpId: string },
  item: Sql,
): NotificationTrigger => ({
  candidates: sql`
    select person_id, 1 as rank, 'event_place' as kind, 'you_answered' as reason from attendances
    where occurrence_id = ${occurrenceId} and person_id = ${movedUpId} and answer = 'going'`,
  visibility: sql`
    join calendar_occurrences o on o.id = ${occurrenceId} ${joinVisibleEvent(eventId)}`,
  ...aboutEvent(occurrenceId),
  actor: null,
  item,
  moment: sql`o.starts_at`,
});

export const reminderTrigger = (
  { eventId, occurrenceId, before }: OccurrenceFacts & { before: "day" | "hour" },
  item: Sql,
): NotificationTrigger => ({
  candidates: sql`
    select person_id, 1 as rank, ${before === "day" ? "event_tomorrow" : "event_soon"} as kind,
      'you_answered' as reason
    from attendances where occurrence_id = ${occurrenceId} and answer in ('going', 'maybe')`,
  visibility: sql`
    join calendar_occurrences o on o.id = ${occurrenceId} ${joinVisibleEvent(eventId)}
    and e.cancelled_at is null and e.postponed_at is null`,
  ...aboutEvent(occurrenceId),
  actor: null,
  item,
  moment: sql`o.starts_at`,
});
