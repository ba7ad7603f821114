import { addMilliseconds, DAY } from "#platform/clock";
import { type Db, many, maybeOne, one, run, sql, type Tx } from "#platform/database";
import { CalendarFileError } from "#platform/icalendar";
import { isId } from "#platform/ids";
import { parseText } from "#platform/markup";
import { msg } from "#platform/messages";
import { invalid, notFound, Refusal } from "#platform/refusal";
import { writeAudit } from "#community/audit";
import { needsApproval } from "#community/discussions";
import { requireSignedIn } from "#community/friends";
import { getGroupToChange } from "#community/groups";
import {
  calendarRules,
  groupRules,
  LIMITS,
  SERVER_LIMITS,
  type SignedIn,
  type Viewer,
} from "#community/rules";
import { hasWritingLimits } from "#community/settings";
import { cannotCreateRefusal } from "../editable-event.ts";
import { applyImport, type ImportCounts, removeEvents } from "./apply-import.ts";
import {
  type CheckedEntry,
  type FileProblem,
  readEntries,
  type SkippedGroup,
  groupSkipped,
} from "./import-entries.ts";
import type { NewEventImport } from "./import-inputs.ts";
import { checkEntryTexts, type ImportPlan, planImport } from "./import-plan.ts";

/** Days in which a file that was not imported is kept. */
const PREVIEW_DAYS = 1;

/** An import of a calendar file into a group. */
export type EventImport = {
  id: string;
  groupId: string;
  personId: string;
  fileName: string;
  skipped: SkippedGroup[];
  /** Empty until the import. */
  counts: Partial<ImportCounts>;
  finishedAt: Date | null;
  undoneAt: Date | null;
};
type StoredImport = EventImport & { entries: StoredCheckedEntry[] | null };
/** An entry as JSON. */
type StoredCheckedEntry = Omit<CheckedEntry, "startsAt" | "endsAt"> & { startsAt: string; endsAt: string };

/**
 * Reads a calendar file and stores its events for the preview. Nothing is created in the group.
 * @throws `not-found` for a group the viewer may not see, `not-allowed` for people who may not create events
 * there or whose texts need approval, `too-many` above the daily limit, `invalid` on `file` for a file that is
 * no calendar or is too large
 */
export async function prepareImport(tx: Tx, viewer: Viewer, input: NewEventImport): Promise<{ id: string }> {
  const me = requireSignedIn(viewer);
  const group = await getGroupToChange(tx, me, input.groupId, "read");
  if (!calendarRules.create(me, group)) throw cannotCreateRefusal(me, group);
  await assertDailyLimit(tx, me);
  const calendar = readFile(input, tx.now);
  const texts = calendar.entries.map((it) => `${it.title}\n${it.place}\n${it.text}`).join("\n");
  const links = parseText(texts.slice(0, LIMITS.post), group.id);
  if (await needsApproval(tx, me, { moderate: groupRules.moderate(me, group) }, links, null))
    throw new Refusal(
      "not-allowed",
      "Posts of new members need approval here. You can import events once one of your posts is published.",
    );
  const checked = await checkEntryTexts(tx, me, calendar.entries);
  const id = tx.newId();
  await run(
    tx,
    sql`insert into event_imports (id, group_id, person_id, file_name, entries, skipped, created_at)
        values (${id}, ${group.id}, ${me.id}, ${input.fileName}, ${JSON.stringify(checked.entries)},
          ${JSON.stringify(groupSkipped([...calendar.skipped, ...checked.skipped]))}, ${tx.now})`,
  );
  return { id };
}

const PROBLEMS: Record<FileProblem, ReturnType<typeof msg>> = {
  "not-a-calendar": msg("This is not a calendar file. Choose a file that ends in .ics."),
  "too-many-events": msg(
    "The file has more than {count, number} events. Export fewer from your calendar, such as one year.",
    { count: SERVER_LIMITS.eventImports.events },
  ),
  "too-many-dates": msg(
    "The events of the file have more than {count, number} dates in all. Export fewer from your calendar.",
    { count: SERVER_LIMITS.eventImports.dates },
  ),
};

function readFile({ text, timeZone }: NewEventImport, now: Date) {
  try {
    return readEntries(text, { timeZone, now });
  } catch (error) {
    if (error instanceof CalendarFileError) throw invalid("file", PROBLEMS[error.reason]);
    throw error;
  }
}

async function assertDailyLimit(tx: Tx, me: SignedIn): Promise<void> {
  await run(tx, sql`select pg_advisory_xact_lock(hashtextextended('event-imports:' || ${me.id}::text, 0))`);
  const { count, isLimited } = await one(
    tx,
    sql<{ count: number; isLimited: boolean }>`
      select count(*)::int as count, ${hasWritingLimits} as "isLimited" from event_imports
      where person_id = ${me.id} and created_at > ${addMilliseconds(tx.now, -DAY)}`,
  );
  const { day } = SERVER_LIMITS.eventImports;
  if (isLimited && count >= day)
    throw new Refusal("too-many", msg("You can import {count} calendar files a day.", { count: day }));
}

/**
 * An import, for the person who uploaded the file and the moderators of the group.
 * @throws `not-found` for everyone else
 */
async function getStoredImport(db: Db, me: SignedIn, importId: string) {
  const found = isId(importId)
    ? await maybeOne(
        db,
        sql<StoredImport>`
          select id, group_id as "groupId", person_id as "personId", file_name as "fileName", entries, skipped,
            counts, finished_at as "finishedAt", undone_at as "undoneAt"
          from event_imports where id = ${importId}`,
      )
    : null;
  if (!found) throw notFound();
  const group = await getGroupToChange(db, me, found.groupId, "read");
  const moderates = groupRules.moderate(me, group);
  if (found.personId !== me.id && !moderates) throw notFound();
  return { found, group, moderates };
}

const toEntries = (stored: StoredImport): CheckedEntry[] =>
  (stored.entries ?? []).map((it) => ({
    ...it,
    startsAt: new Date(it.startsAt),
    endsAt: new Date(it.endsAt),
  }));

/** An import as its page shows it; `plan` is what it would do, and null once it is finished. */
export type EventImportView = EventImport & { plan: Omit<ImportPlan, "skipped"> | null };

/**
 * An import with its preview, or with what it has done.
 * @throws `not-found` for all but the person who uploaded the file and the moderators of the group
 */
export async function getEventImport(
  db: Db,
  viewer: Viewer,
  importId: string,
  now: Date,
): Promise<EventImportView> {
  const me = requireSignedIn(viewer);
  const { found, moderates } = await getStoredImport(db, me, importId);
  const { entries: _, ...view } = found;
  if (found.finishedAt) return { ...view, plan: null };
  const { groupId } = found;
  const plan = await planImport(db, me, {
    groupId,
    entries: toEntries(found).filter(({ endsAt }) => endsAt > now),
    source: { importId },
    moderates,
    now,
    locks: false,
  });
  return { ...view, skipped: [...view.skipped, ...groupSkipped(plan.skipped)], plan };
}

/**
 * Creates and updates the events of a file, once.
 * @throws `not-found` like `getEventImport`, `not-allowed` like `prepareImport`, `conflict` if there is nothing
 * to import
 */
export async function runEventImport(tx: Tx, viewer: Viewer, importId: string): Promise<void> {
  const me = requireSignedIn(viewer);
  await lockImport(tx, importId);
  const { found, group, moderates } = await getStoredImport(tx, me, importId);
  if (!calendarRules.create(me, group)) throw cannotCreateRefusal(me, group);
  if (found.finishedAt) return;
  const { groupId } = found;
  await lockImports(tx, groupId);
  const entries = toEntries(found).filter(({ endsAt }) => endsAt > tx.now);
  const source = { importId };
  const plan = await planImport(tx, me, { groupId, entries, source, moderates, now: tx.now, locks: true });
  const counts = await applyImport(tx, me, plan, { groupId, source });
  if (counts.created + counts.updated + counts.removed === 0)
    throw new Refusal("conflict", "There is nothing to import from this file.");
  await run(
    tx,
    sql`update event_imports set finished_at = ${tx.now}, entries = null, counts = ${JSON.stringify(counts)},
          skipped = ${JSON.stringify([...found.skipped, ...groupSkipped(plan.skipped)])}
        where id = ${importId}`,
  );
  await writeAudit(tx, me, {
    act: "events.imported",
    kind: "group",
    id: groupId,
    details: { groupId, ...counts },
  });
}

/**
 * Undoes an import: deletes the events it created that nobody has answered, and cancels the others. Events that
 * it updated stay as they are, and so do those that have ended.
 * @throws `not-found` like `getEventImport`, `conflict` if it was not finished or is undone already
 */
export async function undoEventImport(
  tx: Tx,
  viewer: Viewer,
  importId: string,
): Promise<{ deleted: number; cancelled: number }> {
  const me = requireSignedIn(viewer);
  await lockImport(tx, importId);
  const { found, group } = await getStoredImport(tx, me, importId);
  if (!calendarRules.create(me, group)) throw cannotCreateRefusal(me, group);
  if (!found.finishedAt || found.undoneAt) throw new Refusal("conflict", "This import has nothing to undo.");
  const events = await many(
    tx,
    sql<{ eventId: string }>`
      select i.event_id as "eventId" from imported_events i join calendar_events e on e.id = i.event_id
      join calendar_occurrences o on o.event_id = e.id
      where i.import_id = ${importId} and e.ends_at > ${tx.now} and e.cancelled_at is null
      order by o.id for no key update of o`,
  );
  const counts = await removeEvents(tx, me, events, found.groupId);
  await run(tx, sql`update event_imports set undone_at = ${tx.now} where id = ${importId}`);
  await writeAudit(tx, me, {
    act: "events.import-undone",
    kind: "group",
    id: found.groupId,
    details: { groupId: found.groupId, ...counts },
  });
  return counts;
}

const lockImport = async (tx: Tx, importId: string) => {
  if (isId(importId)) await run(tx, sql`select from event_imports where id = ${importId} for update`);
};

/** Lets imports into a group run one after another, so that none creates an event twice. */
export const lockImports = (tx: Tx, groupId: string) =>
  run(tx, sql`select pg_advisory_xact_lock(hashtextextended('event-import:' || ${groupId}::text, 0))`);

/** For housekeeping: deletes files that were uploaded more than a day ago and not imported. */
export const purgeEventImports = (tx: Tx): Promise<unknown> =>
  run(
    tx,
    sql`delete from event_imports
        where finished_at is null and created_at < ${addMilliseconds(tx.now, -PREVIEW_DAYS * DAY)}`,
  );
