import { sql } from "#platform/database";
import { isDatePollOpen, isDatePollVisible, isEventHostedBy } from "#community/calendar";
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
export const eventCreatedTrigger = (
  { eventId, by, quiet = false }: CalendarEventFacts & { quiet?: boolean },
  item: Sql,
): NotificationTrigger => ({
  candidates: sql`
    select m.person_id, 1 as rank, 'new_event' as kind,
      case m.notify_level when 'all' then 'group_all' else 'member' end as reason
    from calendar_events e join memberships m on m.group_id = e.group_id and m.state = 'member'
    where e.id = ${eventId} and m.notify_level in ('all', 'highlights')
    union all select a.person_id, 0 as rank, 'event_date' as kind, 'you_answered' as reason
    from date_poll_times t join date_poll_answers a on a.time_id = t.id and a.answer <> 'no'
    where t.event_id = ${eventId}`,
  // An import is quiet: it may create hundreds of events.
  visibility: sql`${joinVisibleEvent(eventId)} and e.cancelled_at is null and not ${quiet}::boolean`,
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

/** Notifies people who became hosts of an event. */
export const hostsChangedTrigger = (
  { eventId, addedIds, by }: CalendarEventFacts & { addedIds: string },
  item: Sql,
): NotificationTrigger => ({
  candidates: sql`
    select id::uuid as person_id, 1 as rank, 'event_host' as kind, 'you_host' as reason
    from string_to_table(${addedIds}, ',') id`,
  visibility: sql`${joinVisibleEvent(eventId)} and e.cancelled_at is null
    and ${isEventHostedBy("e", sql`c.person_id`)}`,
  ...aboutEvent(null),
  actor: by,
  item,
  detail: sql`'added'`,
  moment: sql`(select min(o.starts_at) from calendar_occurrences o where o.event_id = e.id)`,
});

/**
 * Notifies the other hosts that one of them left; where no host can act, the group's moderators. The person is
 * not named, so that blocks do not prevent the notification.
 */
export const hostLeftTrigger = (
  { eventId, personId, isHosted }: { eventId: string; personId: string; isHosted: boolean },
  item: Sql,
): NotificationTrigger => ({
  candidates: isHosted
    ? sql`
      select p.id as person_id, 1 as rank, 'event_host' as kind, 'you_host' as reason
      from calendar_events e join people p on ${isEventHostedBy("e", sql`p.id`)}
      where e.id = ${eventId} and p.id <> ${personId}`
    : sql`
      select m.person_id, 1 as rank, 'event_host' as kind, 'you_lead' as reason
      from calendar_events e join memberships m on m.group_id = e.group_id and m.state = 'member'
        and m.role <> 'member'
      where e.id = ${eventId} and m.person_id <> ${personId}`,
  visibility: sql`${joinVisibleEvent(eventId)} and e.cancelled_at is null`,
  ...aboutEvent(null),
  actor: null,
  item,
  detail: sql`${isHosted ? "left" : "alone"}`,
  moment: sql`(select min(o.starts_at) from calendar_occurrences o where o.event_id = e.id)`,
});

/**
 * Notifies everyone who answered the event, and its hosts, except the actor. The actor is not named, so that blocks do not
 * prevent the notification.
 */
const createChangeTrigger =
  (detail: "moved" | "repeats" | "postponed" | "cancelled", holds: Sql, words: Sql) =>
  ({ eventId, by }: CalendarEventFacts, item: Sql): NotificationTrigger => ({
    candidates: sql`
      select a.person_id, 1 as rank, 'event_changed' as kind, 'you_answered' as reason
      from attendances a join calendar_occurrences o on o.id = a.occurrence_id
      where o.event_id = ${eventId} and a.person_id <> ${by}
      union all ${hostCandidates(sql`e.id = ${eventId}`, by)}`,
    visibility: sql`${joinVisibleEvent(eventId)} and ${holds}`,
    ...aboutEvent(null),
    actor: null,
    item,
    detail: sql`${detail}`,
    words,
    moment: sql`(select min(o.starts_at) from calendar_occurrences o where o.event_id = e.id)`,
  });

/** Hosts of events `e`, other than the actor. People who also answered get the notification for that reason. */
const hostCandidates = (which: Sql, by: string) => sql`
  select e.host_id as person_id, 2 as rank, 'event_changed' as kind, 'you_host' as reason
  from calendar_events e where ${which} and e.host_id <> ${by}
  union all select h.person_id, 2, 'event_changed', 'you_host'
  from calendar_events e join event_hosts h on h.event_id = e.id where ${which} and h.person_id <> ${by}`;

const eventMovedTrigger = createChangeTrigger(
  "moved",
  sql`e.cancelled_at is null and e.postponed_at is null`,
  sql`''`,
);
const eventRepeatsTrigger = createChangeTrigger("repeats", sql`e.cancelled_at is null`, sql`''`);
/** Notifies people of an edited event, only if its time or location has changed, or if it repeats now. */
export const eventEditedTrigger = (
  it: CalendarEventFacts & { moved: boolean; repeats?: boolean },
  item: Sql,
) => {
  if (it.repeats) return eventRepeatsTrigger(it, item);
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
 * Notifies hosts, and everyone who answered dates of a series that changed at the time `at`, once, about the first date
 * that they answered.
 */
const createSeriesTrigger =
  (detail: "moved" | "cancelled", concerned: (at: string) => Sql, words: Sql) =>
  ({ seriesId, by, at }: SeriesFacts, item: Sql): NotificationTrigger => ({
    candidates: sql`
      select distinct a.person_id, 1 as rank, 'event_changed' as kind, 'you_answered' as reason
      from attendances a join calendar_occurrences o on o.id = a.occurrence_id
      join calendar_events e on e.id = o.event_id
      where e.series_id = ${seriesId} and ${concerned(at)} and a.person_id <> ${by}
      union all ${hostCandidates(sql`e.series_id = ${seriesId} and ${concerned(at)}`, by)}`,
    visibility: sql`
      join lateral (
        select e.id, o.starts_at from calendar_events e join calendar_occurrences o on o.event_id = e.id
        left join attendances a on a.occurrence_id = o.id and a.person_id = c.person_id
        where e.series_id = ${seriesId} and ${concerned(at)}
          and (a.person_id is not null or ${isEventHostedBy("e", sql`c.person_id`)})
        order by (a.person_id is null), o.starts_at limit 1) first on true
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
