import { type Db, many, sql, type Tx } from "#platform/database";
import { isId } from "#platform/ids";
import { Refusal } from "#platform/refusal";
import { checkWatchedWords } from "#community/prevention";
import type { SignedIn } from "#community/rules";
import type { CheckedEntry, SkippedEntry } from "./import-entries.ts";

/** Source of imported events: a file, or a subscribed calendar. */
export type ImportSource = { importId: string } | { subscriptionId: string };
/** A stored event that came from a calendar. */
export type StoredEntry = {
  uid: string;
  date: string;
  digest: string;
  eventId: string;
  occurrenceId: string;
  subscriptionId: string | null;
  hostId: string;
  startsAt: Date;
  endsAt: Date;
  place: string;
  isCancelled: boolean;
};
export type ImportPlan = {
  created: CheckedEntry[];
  updated: { entry: CheckedEntry; stored: StoredEntry }[];
  cancelled: StoredEntry[];
  /** Dates that the calendar no longer has. */
  removed: StoredEntry[];
  skipped: SkippedEntry[];
  unchanged: number;
};

type PlanInput = {
  groupId: string;
  entries: CheckedEntry[];
  source: ImportSource;
  /** Whether `me` moderates the group, and so may change events of others. */
  moderates: boolean;
  now: Date;
  /** Whether the stored events are locked, because the plan will be applied. */
  locks: boolean;
};

/** Compares events of a calendar with those of the group. */
export async function planImport(db: Db, me: SignedIn, input: PlanInput): Promise<ImportPlan> {
  const { entries, source, moderates, now } = input;
  const [stored, own] = [await listStored(db, input), await listOwnIds(db, entries)];
  const byKey = new Map(stored.map((it) => [keyOf(it), it]));
  const plan: ImportPlan = {
    created: [],
    updated: [],
    cancelled: [],
    removed: [],
    skipped: [],
    unchanged: 0,
  };
  const subscriptionId = "subscriptionId" in source ? source.subscriptionId : null;
  for (const entry of entries) {
    const known = byKey.get(keyOf(entry));
    byKey.delete(keyOf(entry));
    const skip = (reason: SkippedEntry["reason"]) => plan.skipped.push({ title: entry.title, reason });
    if (own.has(entry.uid.split("@")[0]!)) skip("own-event");
    else if (!known && entry.isCancelled) skip("cancelled");
    else if (!known) plan.created.push(entry);
    else if (known.subscriptionId !== subscriptionId)
      skip(known.subscriptionId === null ? "other-person" : "subscribed");
    else if (known.hostId !== me.id && !moderates) skip("other-person");
    else if (known.isCancelled || known.digest === entry.digest) plan.unchanged += 1;
    else if (entry.isCancelled) plan.cancelled.push(known);
    else plan.updated.push({ entry, stored: known });
  }
  plan.removed = [...byKey.values()].filter(
    (it) =>
      it.subscriptionId === subscriptionId &&
      !it.isCancelled &&
      it.endsAt > now &&
      (it.hostId === me.id || moderates),
  );
  return plan;
}

const keyOf = ({ uid, date }: Pick<StoredEntry, "uid" | "date">) => `${date} ${uid}`;

/**
 * Stored events with the ids of the calendar; those of a subscribed calendar all, since it lacks the ones that
 * were deleted there.
 */
const listStored = (db: Db, { groupId, entries, source, locks }: PlanInput): Promise<StoredEntry[]> => {
  const isOfSubscription =
    "subscriptionId" in source ? sql`i.subscription_id = ${source.subscriptionId}` : sql`false`;
  return many(
    db,
    sql<StoredEntry>`
      select i.uid, i.date, i.digest, i.event_id as "eventId", o.id as "occurrenceId",
        i.subscription_id as "subscriptionId", e.host_id as "hostId", o.starts_at as "startsAt",
        o.ends_at as "endsAt", e.place, e.cancelled_at is not null as "isCancelled"
      from imported_events i join calendar_events e on e.id = i.event_id
      join calendar_occurrences o on o.event_id = e.id
      where i.group_id = ${groupId}
        and (i.uid = any(${[...new Set(entries.map(({ uid }) => uid))]}::text[]) or ${isOfSubscription})
      order by o.id ${locks ? sql`for no key update of o` : sql``}`,
  );
};

/**
 * Ids of events here among those of the calendar: our own feeds name occurrences by their id. Importing them
 * would duplicate them, with each reading of a subscribed calendar anew.
 */
async function listOwnIds(db: Db, entries: CheckedEntry[]): Promise<Set<string>> {
  const ids = [...new Set(entries.map(({ uid }) => uid.split("@")[0]!))].filter(isId);
  if (ids.length === 0) return new Set();
  const rows = await many(
    db,
    sql<{ id: string }>`select id from calendar_occurrences where id = any(${ids}::uuid[])`,
  );
  return new Set(rows.map(({ id }) => id));
}

/**
 * Checks the texts of events for watched words and link domains. Words to replace are replaced; events with
 * other listed words are left out, since they cannot wait for approval.
 */
export async function checkEntryTexts(
  tx: Tx,
  me: SignedIn,
  entries: CheckedEntry[],
): Promise<{ entries: CheckedEntry[]; skipped: SkippedEntry[] }> {
  const skipped: SkippedEntry[] = [];
  const results = new Map<string, Texts | null>();
  const checked: CheckedEntry[] = [];
  for (const entry of entries) {
    const { title, place, text } = entry;
    const key = JSON.stringify([title, place, text]);
    if (!results.has(key)) results.set(key, await checkTexts(tx, me, { title, place, text }));
    const texts = results.get(key);
    if (texts) checked.push({ ...entry, ...texts });
    else skipped.push({ title, reason: "blocked-text" });
  }
  return { entries: checked, skipped };
}

type Texts = Pick<CheckedEntry, "title" | "place" | "text">;

async function checkTexts(tx: Tx, me: SignedIn, texts: Texts): Promise<Texts | null> {
  try {
    const { input, flagged } = await checkWatchedWords(tx, me, texts, ["title", "place", "text"], {
      canWait: false,
    });
    return flagged ? null : input;
  } catch (error) {
    if (error instanceof Refusal && error.reason === "invalid") return null;
    throw error;
  }
}
