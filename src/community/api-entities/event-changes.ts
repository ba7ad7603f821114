import { type Db, limit, many, one, sql } from "#platform/database";
import type { DomainEvent } from "#platform/outbox";
import { isEventHostedBy, isEventVisible } from "#community/calendar";
import { isGroupModerator, viewerMembership } from "#community/groups";
import type { Viewer } from "#community/rules";
import { isAttendeeListed } from "./entities/event-entities.ts";
import { type Event, type PerViewerChange, toText } from "./per-viewer-entities.ts";

/** Maximum number of dates of a changed series that are reported, the earliest first. */
const MAX_DATES = 500;

const eventChange = (event: Event, objectId: string): PerViewerChange => ({
  table: "Events",
  event,
  objectId,
  only: null,
});

/** New events: a single one, or the dates that were added to a series together. */
export async function findNewEvents({ eventId, seriesId }: DomainEvent, db: Db): Promise<PerViewerChange[]> {
  if (!seriesId) return [eventChange("created", toText(eventId))];
  const rows = await many(
    db,
    sql<{ id: string }>`
      select e.id from calendar_events e join calendar_events first on first.id = ${toText(eventId)}::uuid
      where e.series_id = ${toText(seriesId)}::uuid and e.created_at = first.created_at
      order by e.ends_at ${limit(MAX_DATES)}`,
  );
  return rows.map(({ id }) => eventChange("created", id));
}

/** A changed event, also one whose counts of answers have changed. */
export const findChangedEvent = ({ eventId }: DomainEvent): PerViewerChange[] => [
  eventChange("updated", toText(eventId)),
];

/** Dates of a series that a change at the time `at` has changed, cancelled or added. */
export async function findChangedDates({ type, seriesId, at }: DomainEvent, db: Db) {
  const isCancelled = sql`e.cancelled_at is not distinct from ${toText(at)}::timestamptz`;
  const rows = await many(
    db,
    sql<{ id: string; isNew: boolean }>`
      select e.id, e.changed_at is null as "isNew" from calendar_events e
      where e.series_id = ${toText(seriesId)}::uuid
        and coalesce(e.changed_at, e.created_at) = ${toText(at)}::timestamptz
        and ${type === "calendar.series-cancelled" ? isCancelled : sql`not ${isCancelled}`}
      order by e.ends_at ${limit(MAX_DATES)}`,
  );
  return rows.map(({ id, isNew }) => eventChange(isNew ? "created" : "updated", id));
}

/** Deleted dates of a series. Fields of the domain event decide who could read them. */
export function findDeletedDates({ eventIds, groupId, at }: DomainEvent, db: Db): PerViewerChange[] {
  const couldRead = async (viewer: Viewer) =>
    (
      await one(
        db,
        sql<{ read: boolean }>`
          select exists (select
            from (select ${toText(groupId)}::uuid as group_id, 'group' as audience,
              ${toText(at)}::timestamptz as ends_at) e
            join groups g on g.id = e.group_id ${viewerMembership(viewer, "g", "m")}
            where ${isEventVisible("e", "g", "m")}) as read`,
      )
    ).read;
  return splitList(eventIds).map((objectId) => ({
    ...eventChange("deleted", objectId),
    ids: { groupId: toText(groupId) },
    couldRead,
  }));
}

const splitList = (value: DomainEvent[string] | undefined) => (value ? toText(value).split(",") : []);

type Answer = { eventId: string; occurrenceId: string; groupId: string; personId: string };
const toAnswer = (it: DomainEvent, personId: DomainEvent[string] | undefined): Answer => ({
  eventId: toText(it["eventId"]),
  occurrenceId: toText(it["occurrenceId"]),
  groupId: toText(it["groupId"]),
  personId: toText(personId),
});

const answerChange = (
  event: Event,
  { eventId, occurrenceId, groupId, personId }: Answer,
  people: Pick<PerViewerChange, "only" | "except">,
): PerViewerChange => ({
  table: "Attendances",
  event,
  objectId: `${occurrenceId}:${personId}`,
  ...people,
  ids: { eventId, occurrenceId, groupId, personId },
});

/** The end of an answer for people in whose lists it was. */
const hiddenAnswer = (db: Db, it: Answer, people: Pick<PerViewerChange, "only" | "except">) => ({
  ...answerChange("deleted", it, people),
  couldRead: async (viewer: Viewer) =>
    (
      await one(
        db,
        sql<{ read: boolean }>`
          select exists (select from (select ${it.personId}::uuid as owner_id, ${it.personId}::uuid as person_id,
            ${it.groupId}::uuid as group_id, ${it.eventId}::uuid as event_id) t
            where ${isAttendeeListed(viewer, "t")}) as read`,
      )
    ).read,
});

/** Online people who see all answers to the event and their notes: hosts, moderators and staff. */
const listManagers = async (db: Db, eventId: string, here: string[]): Promise<string[]> => {
  const rows = await many(
    db,
    sql<{ id: string }>`
      select p.id from people p join calendar_events e on e.id = ${eventId}::uuid
      join groups g on g.id = e.group_id left join memberships m on m.group_id = g.id and m.person_id = p.id
      where p.id = any(${here}::uuid[]) and (${isEventHostedBy("e", sql`p.id`)} or ${isGroupModerator("m")}
        or (g.visibility = 'public' and p.site_role in ('moderator', 'admin')))`,
  );
  return rows.map(({ id }) => id);
};

/** An answer. People who do not manage the event have no declined answers in their lists. */
export async function findAnswer(it: DomainEvent, db: Db, here: string[]): Promise<PerViewerChange[]> {
  const answer = toAnswer(it, it["by"]);
  const counts = findChangedEvent(it);
  const event: Event = it["before"] === null ? "created" : "updated";
  const wasListed = it["before"] !== null && it["before"] !== "declined";
  const isListed = it["answer"] !== "declined";
  if (wasListed && isListed) return [answerChange(event, answer, { only: null }), ...counts];
  const all = [...(await listManagers(db, answer.eventId, here)), answer.personId];
  const forOthers = isListed
    ? [answerChange("created", answer, { only: null, except: all })]
    : wasListed
      ? [hiddenAnswer(db, answer, { only: null, except: all })]
      : [];
  return [answerChange(event, answer, { only: all }), ...forOthers, ...counts];
}

export const findMovedUp = (it: DomainEvent): PerViewerChange[] => [
  answerChange("updated", toAnswer(it, it["movedUpId"]), { only: null }),
  ...findChangedEvent(it),
];

/** A check-in, which only people who manage the event see. */
export const findCheckIn = async (it: DomainEvent, db: Db, here: string[]): Promise<PerViewerChange[]> => [
  answerChange("updated", toAnswer(it, it["attendeeId"]), {
    only: await listManagers(db, toText(it["eventId"]), here),
  }),
];

/** Answers of people who may no longer attend. */
export async function findReleasedAnswers(it: DomainEvent, db: Db, here: string[]) {
  const declined = splitList(it["declinedIds"]).map((id) => toAnswer(it, id));
  const managers = declined.length === 0 ? [] : await listManagers(db, toText(it["eventId"]), here);
  return [
    ...splitList(it["releasedIds"]).map((id) => hiddenAnswer(db, toAnswer(it, id), { only: null })),
    ...declined.map((answer) => hiddenAnswer(db, answer, { only: managers })),
    ...findChangedEvent(it),
  ];
}
