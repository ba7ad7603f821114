import { addMilliseconds, DAY, HOUR } from "#platform/clock";
import { type Database, limit, many, maybeOne, run, sql, type Tx } from "#platform/database";
import {
  type FetchedDocument,
  FetchError,
  type Fetcher,
  ForbiddenAddress,
  OversizedResponse,
} from "#platform/fetcher";
import { CalendarFileError } from "#platform/icalendar";
import { SERVER_LIMITS, type SignedIn } from "#community/rules";
import { applyImport } from "./apply-import.ts";
import type { SubscriptionProblem } from "./calendar-subscriptions.ts";
import { lockImports } from "./event-imports.ts";
import { type CheckedCalendar, groupSkipped, readEntries, type SkippedEntry } from "./import-entries.ts";
import { checkEntryTexts, planImport } from "./import-plan.ts";

type DueSubscription = {
  id: string;
  groupId: string;
  url: string;
  timeZone: string;
  etag: string | null;
  lastModified: string | null;
  comparedAt: Date | null;
  claimedAt: Date;
};
/** Result of reading a calendar; `unchanged` if it is the same as before. */
type Outcome =
  | { problem: SubscriptionProblem }
  | { problem: null; document: FetchedDocument; calendar: CheckedCalendar | "unchanged" };

type Reader = Pick<Fetcher, "document">;
/** Interval at which an unchanged calendar is read: rules without an end have further dates by then. */
const COMPARE_INTERVAL = 7 * DAY;
/** Calendars that one run of the job reads, one after another. */
const MAX_PER_RUN = 20;

/** Job: reads calendars that are due after a day. Returns their number. */
export async function readDueSubscriptions(database: Database, fetcher: Reader): Promise<number> {
  let count = 0;
  while (count < MAX_PER_RUN && (await readNext(database, fetcher, (now) => sql`s.due_at <= ${now}`)))
    count += 1;
  return count;
}

/** Job: reads one calendar now, whether it is due or not. */
export const readSubscription = (database: Database, fetcher: Reader, id: string): Promise<boolean> =>
  readNext(database, fetcher, () => sql`s.id = ${id}`);

type Condition = (now: Date) => ReturnType<typeof sql>;

async function readNext(database: Database, fetcher: Reader, which: Condition): Promise<boolean> {
  const due = await database.inTransaction((tx) => claim(tx, which));
  if (!due) return false;
  const outcome = await fetchCalendar(fetcher, due);
  await database.inTransaction((tx) => storeOutcome(tx, due, outcome));
  return true;
}

/** Claims a calendar for an hour, so that it is not read twice even if this process ends. */
async function claim(tx: Tx, which: Condition): Promise<DueSubscription | null> {
  const [due] = await many(
    tx,
    sql<Omit<DueSubscription, "claimedAt">>`
      update calendar_subscriptions set due_at = ${addMilliseconds(tx.now, HOUR)}
      where id in (
        select s.id from calendar_subscriptions s join groups g on g.id = s.group_id and g.state = 'active'
        where ${which(tx.now)} order by s.due_at ${limit(1)} for update of s skip locked)
      returning id, group_id as "groupId", url, time_zone as "timeZone", etag, last_modified as "lastModified",
        compared_at as "comparedAt"`,
  );
  return due ? { ...due, claimedAt: tx.now } : null;
}

async function fetchCalendar(fetcher: Reader, due: DueSubscription): Promise<Outcome> {
  try {
    const { timeZone, claimedAt: now, comparedAt } = due;
    const isRecent = comparedAt !== null && comparedAt > addMilliseconds(now, -COMPARE_INTERVAL);
    const known = isRecent ? due : { etag: null, lastModified: null };
    const document = await fetcher.document(due.url, known, SERVER_LIMITS.eventImports.bytes);
    const calendar = document.text === null ? "unchanged" : readEntries(document.text, { timeZone, now });
    return { problem: null, document, calendar };
  } catch (error) {
    return { problem: toProblem(error) };
  }
}

function toProblem(error: unknown): SubscriptionProblem {
  if (error instanceof CalendarFileError) return error.reason;
  if (error instanceof ForbiddenAddress) return "forbidden";
  if (error instanceof OversizedResponse) return "too-large";
  if (error instanceof FetchError) return error.passing ? "no-response" : "no-document";
  throw error;
}

/** Stores an outcome, unless the subscription was removed meanwhile. */
async function storeOutcome(tx: Tx, due: DueSubscription, outcome: Outcome): Promise<void> {
  const row = await maybeOne(
    tx,
    sql<SignedIn & { isActive: boolean }>`
      select p.id, p.site_role as role, p.trust, p.state = 'limited' as limited,
        p.state in ('active', 'limited') as "isActive"
      from calendar_subscriptions s join people p on p.id = s.added_by
      where s.id = ${due.id} for update of s`,
  );
  if (!row) return;
  const { isActive, ...me } = row;
  const problem = outcome.problem ?? (isActive ? null : "person-left");
  if (problem !== null) return updateSubscription(tx, due, sql`error = ${problem}`);
  if (outcome.problem !== null || outcome.calendar === "unchanged")
    return updateSubscription(tx, due, sql`error = null, read_at = ${tx.now}`);
  const { document, calendar } = outcome;
  const skipped = await importCalendar(tx, me, due, calendar);
  const isOfInterest = ({ reason }: SkippedEntry) => reason !== "past" && reason !== "cancelled";
  await updateSubscription(
    tx,
    due,
    sql`error = null, read_at = ${tx.now}, compared_at = ${tx.now}, etag = ${document.etag},
      last_modified = ${document.lastModified}, name = ${calendar.name},
      skipped = ${JSON.stringify(groupSkipped(skipped.filter(isOfInterest)))}`,
  );
}

const updateSubscription = async (tx: Tx, { id }: DueSubscription, set: ReturnType<typeof sql>) =>
  void (await run(
    tx,
    sql`update calendar_subscriptions set due_at = ${addMilliseconds(tx.now, DAY)}, ${set} where id = ${id}`,
  ));

/** Applies the events of a calendar to the group. Returns those that are left out. */
async function importCalendar(
  tx: Tx,
  me: SignedIn,
  { id, groupId }: DueSubscription,
  { entries, skipped }: CheckedCalendar,
): Promise<SkippedEntry[]> {
  await lockImports(tx, groupId);
  const source = { subscriptionId: id };
  const plan = await planImport(tx, me, {
    groupId,
    entries,
    source,
    moderates: true,
    now: tx.now,
    locks: true,
  });
  const created = await checkEntryTexts(tx, me, plan.created);
  const updated = await checkEntryTexts(
    tx,
    me,
    plan.updated.map(({ entry }) => entry),
  );
  const storedByEntry = new Map(
    plan.updated.map(({ entry, stored }) => [`${entry.date} ${entry.uid}`, stored]),
  );
  const checkedPlan = {
    ...plan,
    created: created.entries,
    updated: updated.entries.map((entry) => ({
      entry,
      stored: storedByEntry.get(`${entry.date} ${entry.uid}`)!,
    })),
  };
  await applyImport(tx, me, checkedPlan, { groupId, source });
  return [...skipped, ...plan.skipped, ...created.skipped, ...updated.skipped];
}
