import { many, sql, type Tx } from "#platform/database";
import { isId, uuidv7 } from "#platform/ids";
import { scheduleDueChecks } from "#community/groups";
import type { Bundle } from "../archive/bundle-files.ts";
import type { ArchiveRecord, RecordKind, RecordOf } from "../archive/records.ts";
import { insertNewRows, type Row } from "../bulk-insert.ts";
import type { RecordIds } from "./record-ids.ts";
import type { OpenThread } from "./post-order.ts";
import type { StoredFile } from "../demo/demo-files.ts";

export type Entry<K extends RecordKind> = { at: string; record: RecordOf<K> };
export type AnyEntry = { at: string; record: ArchiveRecord };
type Outcome = "made" | "known" | "refused";
/** Number of records by type and outcome; for files also their bytes. */
export type ImportCounts = Partial<
  Record<RecordKind | "unreadable", Partial<Record<Outcome | "bytes", number>>>
>;
export type ImportProblem = { place: string; kind: string; sourceId: string; what: string };

export type ImportedPoll = { options: number; most: number };
/**
 * Data that a check remembers from batch to batch because it writes no tables: containers of posts and
 * messages, polls, votes per person, the number of times of date polls, and dates of series.
 */
export type CheckedState = {
  places: Map<string, string>;
  polls: Map<string, ImportedPoll>;
  votes: Map<string, number>;
  pollTimes: Map<string, number>;
  seriesDates: Set<string>;
};

/** A few hundred records written in one transaction. */
export type Batch = {
  tx: Tx;
  run: { id: string; source: string; byId: string | null };
  /** True for a check, which reads everything and writes nothing. */
  check: boolean;
  names: RecordIds;
  checked: CheckedState;
  bundle: Bundle;
  /** Whether a virus scanner is configured; imported files then wait for their scan. */
  scans: boolean;
  /** Files of this batch already in storage, by record id. */
  stored: Map<string, StoredFile>;
  entries: { [K in RecordKind]?: Entry<K>[] };
  /** Ids of the posts created by this batch. */
  newPosts: Set<string>;
  /** The discussion whose posts may continue in this batch. */
  open: OpenThread;
  isLast: boolean;
  count: (kind: RecordKind, outcome: Outcome, many?: number) => void;
  note: (it: AnyEntry, what: string) => void;
};

/** The record's id in reports. */
export const formatSourceId = (record: ArchiveRecord): string => {
  switch (record.type) {
    case "membership":
      return JSON.stringify([record.group, record.user]);
    case "friendship":
      return JSON.stringify([record.from, record.to].sort());
    case "block":
    case "mute":
      return JSON.stringify([record.from, record.to]);
    case "reaction":
      return JSON.stringify([record.post, record.user, record.emoji]);
    case "message-reaction":
      return JSON.stringify([record.message, record.user, record.emoji]);
    case "reading":
      return JSON.stringify([record.discussion, record.user]);
    case "follow":
      return JSON.stringify([record.resource, record.user]);
    case "bookmark":
      return JSON.stringify([record.user, record.post ? "post" : "resource", record.post ?? record.resource]);
    case "start":
      return JSON.stringify([
        record.group,
        record.discussion ? "discussion" : "resource",
        record.discussion ?? record.resource,
      ]);
    case "use":
      return JSON.stringify([record.resource, record.post]);
    case "version":
      return JSON.stringify([record.resource, record.number]);
    case "revision":
      return JSON.stringify([record.post, record.createdAt.toISOString()]);
    case "vote":
      return JSON.stringify([record.post, record.user, record.option]);
    case "attendance":
      return JSON.stringify([record.event, record.user]);
    case "date-poll-answer":
      return JSON.stringify([record.poll, record.user, record.time]);
    case "setting":
      return record.key;
    case "user":
    case "group":
    case "discussion":
    case "post":
    case "conversation":
    case "message":
    case "file":
    case "resource":
    case "collection":
    case "line":
    case "event-series":
    case "event":
    case "date-poll":
      return record.id;
  }
};

export function refuseRecord(batch: Batch, entry: AnyEntry, what: string): void {
  batch.note(entry, `Skipped: ${what}`);
  batch.count(entry.record.type, "refused");
}

export async function writeRows(batch: Batch, table: string, rows: Row[]): Promise<void> {
  if (!batch.check) await insertNewRows(batch.tx, table, rows);
}

/**
 * Schedules jobs for imported dates in the future. Without them, such dates would wait for the next hourly
 * run.
 */
export async function scheduleWakeUps(batch: Batch, moments: (Date | null | undefined)[]): Promise<void> {
  const ahead = moments.filter((at): at is Date => at instanceof Date && at > batch.tx.now);
  if (!batch.check && ahead.length > 0) await scheduleDueChecks(batch.tx, ...ahead);
}

/**
 * Ids for new entities. An id made by another Kith community is kept so that its address stays valid; if the
 * id exists here, the record is that entity and not new.
 */
export async function assignIds<K extends RecordKind>(
  batch: Batch,
  table: string,
  entries: Entry<K>[],
  idOf: (it: RecordOf<K>) => { id: string; createdAt?: Date },
): Promise<(Entry<K> & { id: string })[]> {
  const own = entries.map(({ record }) => idOf(record).id).filter(isId);
  const here =
    own.length > 0
      ? await many(
          batch.tx,
          sql<{
            id: string;
          }>`select id from ${sql.table(table)} where id = any(${own.map((id) => id.toLowerCase())}::uuid[])`,
        )
      : [];
  const standing = new Set(here.map(({ id }) => id));
  const placed = entries.map((entry) => {
    const { id, createdAt } = idOf(entry.record);
    return { ...entry, id: isId(id) ? id.toLowerCase() : uuidv7((createdAt ?? batch.tx.now).getTime()) };
  });
  for (const { record, id } of placed)
    batch.names.add(record.type, formatSourceId(record), { localId: id, made: !standing.has(id) });
  const fresh = placed.filter(({ id }) => !standing.has(id));
  batch.count(entries[0]?.record.type ?? "user", "known", placed.length - fresh.length);
  batch.count(entries[0]?.record.type ?? "user", "made", fresh.length);
  return fresh;
}

/**
 * Containers by entity id: those found in the tables, and those that a check would have created in earlier
 * batches.
 */
export function mergeCheckedContainers(
  { checked }: Batch,
  ids: string[],
  rows: { id: string; place: string }[],
): Map<string, string> {
  const places = ids.flatMap((id) => {
    const place = checked.places.get(id);
    return place ? [[id, place] as const] : [];
  });
  return new Map([...places, ...rows.map(({ id, place }) => [id, place] as const)]);
}

/**
 * Relationships that existed before the import, each as a text of two ids, `one other`. An undo does not
 * remove them.
 */
export async function listExistingRelationships(
  batch: Batch,
  table: string,
  [one, other]: [string, string],
  ties: (readonly [string, string])[],
): Promise<Set<string>> {
  if (ties.length === 0) return new Set();
  const rows = await many(
    batch.tx,
    sql<{ tie: string }>`
      select ${sql.ref(one)} || ' ' || ${sql.ref(other)} as tie from ${sql.table(table)}
      where (${sql.ref(one)}, ${sql.ref(other)}) in
        (select * from unnest(${ties.map((tie) => tie[0])}::uuid[], ${ties.map((tie) => tie[1])}::uuid[]))`,
  );
  return new Set(rows.map(({ tie }) => tie));
}

/** Groups entries by the type of their record. */
export function groupByKind(entries: readonly AnyEntry[]): Batch["entries"];
export function groupByKind(entries: readonly AnyEntry[]): Partial<Record<RecordKind, AnyEntry[]>> {
  return Object.groupBy(entries, ({ record }) => record.type);
}

export const isUserEntry = (entry: AnyEntry): entry is Entry<"user"> => entry.record.type === "user";
