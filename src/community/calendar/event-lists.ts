import { addMilliseconds, DAY } from "#platform/clock";
import { type Db, limit, many, sql } from "#platform/database";
import { isId } from "#platform/ids";
import { notFound } from "#platform/refusal";
import {
  encodeCursor,
  isAccountUnlisted,
  type Page,
  type PersonCard,
  personColumns,
  readCursor,
  toPage,
  andIfGiven,
} from "#community/common";
import { blockerIds } from "#community/friends";
import {
  type AttendanceAnswer,
  calendarRules,
  groupRules,
  LIMITS,
  SERVER_LIMITS,
  type SignedIn,
  type Viewer,
} from "#community/rules";
import { type CalendarEvent, type OccurrenceRow, selectOccurrences } from "./event-columns.ts";

/** `group` is the id of a group; `after` is the cursor of the previous page. */
export type EventsQuery = {
  /** Occurrences that end after `from` and start before `until`, in order of their start. */
  from: Date;
  until?: Date | undefined;
  group?: string | undefined;
  /**
   * `groups`: events of groups the viewer is a member of; `answered`: events the viewer has answered and not
   * declined.
   */
  mine?: "groups" | "answered" | undefined;
  after?: string | undefined;
  /** Rows of a page. */
  size?: number;
};

/** A page of occurrences that the viewer may see. */
export async function listEvents(db: Db, viewer: Viewer, query: EventsQuery): Promise<Page<OccurrenceRow>> {
  const { after, size = LIMITS.page.people } = query;
  const cursor = readCursor(after, ["time", "id"]);
  const rows = await many(
    db,
    sql<OccurrenceRow>`
      ${selectOccurrences(viewer)} and ${overlaps(query)} ${filterConditions(query)}
        ${andIfGiven(cursor, ([at, id]) => sql`(o.starts_at, o.id) > (${at}, ${id}::uuid)`)}
      order by o.starts_at, o.id ${limit(size + 1)}`,
  );
  return toPage(rows, size, (last) => encodeCursor(last.startsAt, last.id));
}

/** Query: the next occurrences in the viewer's groups, of those that have not ended at `from`. */
export const upcomingGroupEvents = (viewer: SignedIn, from: Date, count: number) => sql<OccurrenceRow>`
  ${selectOccurrences(viewer)} and ${overlaps({ from })} ${filterConditions({ mine: "groups" })}
  order by o.starts_at, o.id ${limit(count)}`;

/** Occurrences between two moments, at most `SERVER_LIMITS.events.month`; `next` is set if there are more. */
export async function listMonthEvents(
  db: Db,
  viewer: Viewer,
  query: Required<Pick<EventsQuery, "from" | "until">> & Pick<EventsQuery, "group" | "mine">,
): Promise<Page<OccurrenceRow>> {
  const rows = await many(
    db,
    sql<OccurrenceRow>`
      ${selectOccurrences(viewer)} and ${overlaps(query)} ${filterConditions(query)}
      order by o.starts_at, o.id ${limit(SERVER_LIMITS.events.month + 1)}`,
  );
  return toPage(rows, SERVER_LIMITS.events.month, (last) => encodeCursor(last.startsAt, last.id));
}

/** The second condition lets PostgreSQL use the index: an occurrence lasts at most `LIMITS.event.days`. */
const overlaps = ({ from, until }: Pick<EventsQuery, "from" | "until">) => sql`
  o.ends_at > ${from} and o.starts_at > ${addMilliseconds(from, -(LIMITS.event.days + 1) * DAY)}
  ${andIfGiven(until, (moment) => sql`o.starts_at < ${moment}`)}`;

/** Occurrences that ended before `from`, the latest first. */
export async function listPastEvents(
  db: Db,
  viewer: Viewer,
  query: Omit<EventsQuery, "until">,
): Promise<Page<OccurrenceRow>> {
  const cursor = readCursor(query.after, ["time", "id"]);
  const rows = await many(
    db,
    sql<OccurrenceRow>`
      ${selectOccurrences(viewer)} and o.ends_at <= ${query.from} and o.starts_at < ${query.from}
        ${filterConditions(query)}
        ${andIfGiven(cursor, ([at, id]) => sql`(o.starts_at, o.id) < (${at}, ${id}::uuid)`)}
      order by o.starts_at desc, o.id desc ${limit(LIMITS.page.people + 1)}`,
  );
  return toPage(rows, LIMITS.page.people, (last) => encodeCursor(last.startsAt, last.id));
}

const filterConditions = ({ group, mine }: Pick<EventsQuery, "group" | "mine">) => sql`
  ${andIfGiven(group, (id) => (isId(id) ? sql`e.group_id = ${id}::uuid` : sql`false`))}
  ${andIfGiven(mine, (which) => (which === "groups" ? sql`m.state = 'member'` : sql`a.answer <> 'declined'`))}`;

/** For viewers who do not manage the event, `note` is empty and `checkedInAt` null. */
export type Attendee = PersonCard & {
  companions: number;
  note: string;
  answeredAt: Date;
  checkedInAt: Date | null;
};

/**
 * People with this answer, in the order in which they answered; for the waiting list, in its order.
 * @throws `not-found` for lists that the viewer may not see
 */
export async function listAttendees(
  db: Db,
  viewer: Viewer,
  event: CalendarEvent,
  { answer, after }: { answer: AttendanceAnswer; after?: string | undefined },
): Promise<Page<Attendee>> {
  const manages = calendarRules.seeNotes(viewer, event);
  if (!calendarRules.seeAttendees(viewer, event) || (answer === "declined" && !manages)) throw notFound();
  const cursor = readCursor(after, ["number", "time", "id"]);
  const rows = await many(
    db,
    sql<Attendee & { place: number }>`
      select ${personColumns("p")}, a.companions, a.answered_at as "answeredAt",
        coalesce(a.waiting_number, 0) as place, ${manages ? sql`a.note` : sql`''`} as note,
        ${manages ? sql`a.checked_in_at` : sql`null::timestamptz`} as "checkedInAt"
      from attendances a join people p on p.id = a.person_id and not ${isAccountUnlisted("p")}
      where a.occurrence_id = ${event.occurrenceId} and a.answer = ${answer}
        and p.id <> all(${blockerIds(viewer, groupRules.pastBlocks(viewer, event.group))})
        ${andIfGiven(
          cursor,
          ([place, at, id]) => sql`(coalesce(a.waiting_number, 0), a.answered_at, a.person_id)
            > (${place}::int, ${at}, ${id}::uuid)`,
        )}
      order by place, a.answered_at, a.person_id ${limit(LIMITS.page.people + 1)}`,
  );
  const page = toPage(rows, LIMITS.page.people, (last) => encodeCursor(last.place, last.answeredAt, last.id));
  return { ...page, rows: page.rows.map(({ place: _, ...attendee }) => attendee) };
}

const ANSWERS = ["going", "waiting", "maybe", "declined"] as const satisfies AttendanceAnswer[];

/**
 * All answers to an event, for a file.
 * @throws `not-found` for viewers who do not manage the event
 */
export async function* iterateAttendees(
  db: Db,
  viewer: Viewer,
  event: CalendarEvent,
): AsyncGenerator<Attendee & { answer: AttendanceAnswer }> {
  if (!calendarRules.seeNotes(viewer, event)) throw notFound();
  for (const answer of ANSWERS)
    for (let after: string | undefined, isLast = false; !isLast;) {
      const { rows, next } = await listAttendees(db, viewer, event, { answer, after });
      for (const row of rows) yield { ...row, answer };
      after = next ?? undefined;
      isLast = next === null;
    }
}
