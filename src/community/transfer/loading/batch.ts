import { many, sql, type Tx } from "#platform/database";
import { isId, uuidv7 } from "#platform/ids";
import { lookAgain } from "#community/groups";
import type { Bundle } from "../archive/bundle.ts";
import type { ArchiveRecord, Kind, Of } from "../archive/records.ts";
import { fillNew, type Row } from "../fill.ts";
import type { Names } from "./names.ts";
import type { OpenThread } from "./order.ts";
import type { StoredFile } from "../files.ts";

export type Entry<K extends Kind> = { at: string; record: Of<K> };
export type AnyEntry = { at: string; record: ArchiveRecord };
type Outcome = "made" | "known" | "refused";
/** What came of the records, by type; of files also how many bytes they have. */
export type Counts = Partial<Record<Kind | "unreadable", Partial<Record<Outcome | "bytes", number>>>>;
export type Problem = { place: string; kind: string; sourceId: string; what: string };

export type Poll = { options: number; most: number };
/** What a check remembers from batch to batch, where a run would ask the tables: where posts and messages would stand, what they ask, how often who has voted. */
export type Checked = { places: Map<string, string>; polls: Map<string, Poll>; votes: Map<string, number> };

/** Some hundred records on their way into the tables, in one transaction. */
export type Batch = {
  tx: Tx;
  run: { id: string; source: string; byId: string | null };
  /** A check looks at everything and writes nothing. */
  check: boolean;
  names: Names;
  checked: Checked;
  bundle: Bundle;
  /** There is a scanner: files wait for it. */
  scans: boolean;
  /** Files of this batch that are in the storage already, by the record's id. */
  stored: Map<string, StoredFile>;
  entries: { [K in Kind]?: Entry<K>[] };
  /** Posts that this batch has brought, by their ids here. */
  newPosts: Set<string>;
  /** The discussion that the batch before has begun to tell, and whether the archive ends with this one. */
  open: OpenThread;
  isLast: boolean;
  count: (kind: Kind, outcome: Outcome, many?: number) => void;
  note: (it: AnyEntry, what: string) => void;
};

/** How a record is named in reports. */
export const sourceIdOf = (record: ArchiveRecord): string => {
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
      return JSON.stringify([record.group, record.discussion ? "discussion" : "resource", record.discussion ?? record.resource]);
    case "use":
      return JSON.stringify([record.resource, record.post]);
    case "version":
      return JSON.stringify([record.resource, record.number]);
    case "revision":
      return JSON.stringify([record.post, record.createdAt.toISOString()]);
    case "vote":
      return JSON.stringify([record.post, record.user, record.option]);
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
      return record.id;
  }
};

export function refuse(batch: Batch, it: AnyEntry, what: string): void {
  batch.note(it, `Left out: ${what}`);
  batch.count(it.record.type, "refused");
}

export async function write(batch: Batch, table: string, rows: Row[]): Promise<void> {
  if (!batch.check) await fillNew(batch.tx, table, rows);
}

/** What came in for a moment that is to come happens at that moment, and not with the next hourly round. */
export async function wakeAt(batch: Batch, moments: (Date | null | undefined)[]): Promise<void> {
  const ahead = moments.filter((at) => at instanceof Date && at > batch.tx.now) as Date[];
  if (!batch.check && ahead.length > 0) await lookAgain(batch.tx, ...ahead);
}

/**
 * Ids for new things. A thing that has one already, from a community of this kind, keeps it, so that its address holds;
 * where something stands under it here, it is that thing, and not new.
 */
export async function idsFor<K extends Kind>(
  batch: Batch,
  table: string,
  entries: Entry<K>[],
  idOf: (it: Of<K>) => { id: string; createdAt?: Date },
): Promise<(Entry<K> & { id: string })[]> {
  const own = entries.map(({ record }) => idOf(record).id).filter(isId);
  const here =
    own.length > 0
      ? await many(
          batch.tx,
          sql<{ id: string }>`select id from ${sql.table(table)} where id = any(${own.map((id) => id.toLowerCase())}::uuid[])`,
        )
      : [];
  const standing = new Set(here.map(({ id }) => id));
  const placed = entries.map((it) => {
    const { id, createdAt } = idOf(it.record);
    return { ...it, id: isId(id) ? id.toLowerCase() : uuidv7((createdAt ?? batch.tx.now).getTime()) };
  });
  for (const { record, id } of placed) batch.names.add(record.type, sourceIdOf(record), { localId: id, made: !standing.has(id) });
  const fresh = placed.filter(({ id }) => !standing.has(id));
  batch.count(entries[0]?.record.type ?? "user", "known", placed.length - fresh.length);
  batch.count(entries[0]?.record.type ?? "user", "made", fresh.length);
  return fresh;
}

/** Where these stand: as the tables say, and as a check would have put them before this batch. */
export function withChecked({ checked }: Batch, ids: string[], rows: { id: string; place: string }[]): Map<string, string> {
  const places = ids.flatMap((id) => {
    const place = checked.places.get(id);
    return place ? [[id, place] as const] : [];
  });
  return new Map([...places, ...rows.map(({ id, place }) => [id, place] as const)]);
}

/** Of these ties, those that are here already, as `one other`: they are nobody's to undo. */
export async function standingTies(
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
