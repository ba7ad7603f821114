import { many, maybeOne, one, sql, type Tx } from "#platform/database";
import { mapTuple } from "#platform/objects";
import { numberOverflow } from "../hive-errors.ts";
import type {
  ScoreOptions,
  ScoreRange,
  RangeOptions,
  StoreEntry,
  StoreKey,
  ScoredValue,
  ScoredEntry,
  HiveKey,
} from "../hive-store.ts";
import { updateSize, deleteEntries } from "./postgres-entries.ts";
import type { PostgresContext } from "./postgres-hives.ts";
import { findKey, type StoredKey, withKey } from "./postgres-keys.ts";

const sortedSetKey = (hiveKey: HiveKey): StoreKey => ({ ...hiveKey, kind: "sorted-set" });

export const addScored = (
  hives: PostgresContext,
  hiveKey: HiveKey,
  items: ScoredEntry[],
  how: ScoreOptions,
): Promise<number> =>
  withKey(hives, sortedSetKey(hiveKey), async (tx, key) => {
    const before = await readScores(
      tx,
      key,
      items.map(({ field }) => field),
    );
    const after = new Map<string, ScoredEntry>();
    for (const item of items)
      if (isScoreAllowed(after.get(item.field)?.score ?? before.get(item.field), item.score, how))
        after.set(item.field, item);
    const entries = [...after.values()];
    const made = entries.filter(({ field }) => !before.has(field));
    const changed = entries.filter(({ field, score }) => before.has(field) && before.get(field) !== score);
    await upsertScored(tx, key, made, changed);
    return how.result === "TotalChanged" ? made.length + changed.length : made.length;
  });

function isScoreAllowed(
  before: number | undefined,
  score: number,
  { duplicates, scores }: ScoreOptions,
): boolean {
  if (before === undefined) return duplicates !== "OnlyUpdate";
  if (duplicates === "AlwaysAdd") return false;
  return scores === "Greater" ? score > before : scores === "Less" ? score < before : true;
}

export const addToScore = (
  hives: PostgresContext,
  hiveKey: HiveKey,
  { field, value }: StoreEntry,
  by: number,
): Promise<number> =>
  withKey(hives, sortedSetKey(hiveKey), async (tx, key) => {
    const before = (await readScores(tx, key, [field])).get(field);
    const score = (before ?? 0) + by;
    if (!Number.isFinite(score)) throw numberOverflow();
    const entry = { field, score, value };
    await (before === undefined ? upsertScored(tx, key, [entry], []) : upsertScored(tx, key, [], [entry]));
    return score;
  });

async function readScores(tx: Tx, { id }: StoredKey, fields: string[]): Promise<Map<string, number>> {
  const rows = await many(
    tx,
    sql<{
      field: string;
      score: number;
    }>`select field, score from hive_entries where key_id = ${id} and field = any(${fields})`,
  );
  return new Map(rows.map(({ field, score }) => [field, score]));
}

async function upsertScored(
  tx: Tx,
  { id }: StoredKey,
  scoredEntries: ScoredEntry[],
  changed: ScoredEntry[],
): Promise<void> {
  const all = [...scoredEntries, ...changed];
  const { size } = await one(
    tx,
    sql<{ size: string }>`
      with put as (insert into hive_entries (key_id, field, value, score) select ${id}::bigint, f, v, s
        from unnest(${all.map(({ field }) => field)}::text[], ${all.map(({ value }) => value)}::text[],
          ${all.map(({ score }) => score)}::float8[])
          as given (f, v, s)
        on conflict (key_id, field) do update set score = excluded.score)
      select coalesce(sum(char_length(v)), 0) as size
      from unnest(${scoredEntries.map(({ value }) => value)}::text[]) v`,
  );
  await updateSize(tx, id, { entries: scoredEntries.length, size: Number(size) });
}

const ASCENDING = sql`score, left(value, 100) collate "C", field`;
const DESCENDING = sql`score desc, left(value, 100) collate "C" desc, field desc`;
const scoreOrder = (reverse: boolean) => (reverse ? DESCENDING : ASCENDING);

export const takeByScore = (
  hives: PostgresContext,
  hiveKey: HiveKey,
  end: "max" | "min",
  count: number,
): Promise<ScoredValue[]> =>
  withKey(hives, sortedSetKey(hiveKey), async (tx, key) => {
    const rows = await many(
      tx,
      sql<ScoredEntry>`select field, value, score from hive_entries where key_id = ${key.id}
        order by ${scoreOrder(end === "max")} limit ${count}`,
    );
    await deleteEntries(
      tx,
      key,
      rows.map(({ field }) => field),
    );
    return rows;
  });

export async function getRandomScored(
  hives: PostgresContext,
  hiveKey: HiveKey,
  count: number,
): Promise<ScoredValue[]> {
  const found = await findKey(hives, sortedSetKey(hiveKey));
  if (!found) return [];
  return many(
    hives.db,
    sql<ScoredValue>`select score, value from hive_entries where key_id = ${found.id} order by random()
      limit ${count}`,
  );
}

export async function getScore(
  hives: PostgresContext,
  hiveKey: HiveKey,
  field: string,
): Promise<number | null> {
  const found = await findKey(hives, sortedSetKey(hiveKey));
  if (!found) return null;
  const row = sql<{
    score: number;
  }>`select score from hive_entries where key_id = ${found.id} and field = ${field}`;
  return (await maybeOne(hives.db, row))?.score ?? null;
}

export async function getRank(
  hives: PostgresContext,
  hiveKey: HiveKey,
  field: string,
  reverse: boolean,
): Promise<number | null> {
  const found = await findKey(hives, sortedSetKey(hiveKey));
  if (!found) return null;
  const row = await maybeOne(
    hives.db,
    sql<{ rank: number }>`
      select (select count(*)::int from hive_entries o where o.key_id = ${found.id}
        and (o.score, left(o.value, 100) collate "C", o.field) ${reverse ? sql`>` : sql`<`} (e.score,
          left(e.value, 100) collate "C", e.field)) as rank
      from hive_entries e where e.key_id = ${found.id} and e.field = ${field}`,
  );
  return row?.rank ?? null;
}

export async function listByRank(
  hives: PostgresContext,
  hiveKey: HiveKey,
  [start, stop]: [number, number],
  reverse: boolean,
): Promise<ScoredValue[]> {
  const found = await findKey(hives, sortedSetKey(hiveKey));
  return found ? selectByRank(hives.db, found, [start, stop], reverse) : [];
}

async function selectByRank(
  db: PostgresContext["db"] | Tx,
  { id, entries }: StoredKey,
  range: [number, number],
  reverse: boolean,
): Promise<ScoredEntry[]> {
  const [start, stop] = mapTuple(range, (rank) => (rank < 0 ? entries + rank : rank));
  const first = Math.max(0, start);
  const count = Math.min(stop, entries - 1) - first + 1;
  if (count <= 0) return [];
  return many(
    db,
    sql<ScoredEntry>`select field, value, score from hive_entries where key_id = ${id}
      order by ${scoreOrder(reverse)} offset ${first} limit ${count}`,
  );
}

const rangeSql = ({ min, max }: ScoreRange) => {
  const above = min ? (min.included ? sql`and score >= ${min.score}` : sql`and score > ${min.score}`) : sql``;
  const below = max ? (max.included ? sql`and score <= ${max.score}` : sql`and score < ${max.score}`) : sql``;
  return sql`score is not null ${above} ${below}`;
};

export async function listByScore(
  hives: PostgresContext,
  hiveKey: HiveKey,
  bounds: ScoreRange,
  { offset = 0, most, reverse = false }: RangeOptions,
): Promise<ScoredValue[]> {
  const found = await findKey(hives, sortedSetKey(hiveKey));
  if (!found) return [];
  return many(
    hives.db,
    sql<ScoredValue>`select value, score from hive_entries where key_id = ${found.id} and ${rangeSql(bounds)}
      order by ${scoreOrder(reverse)} offset ${offset} limit ${most ?? found.entries}`,
  );
}

export const removeByRank = (
  hives: PostgresContext,
  hiveKey: HiveKey,
  range: [number, number],
): Promise<number> =>
  withKey(hives, sortedSetKey(hiveKey), async (tx, key) => {
    const rows = await selectByRank(tx, key, range, false);
    return deleteEntries(
      tx,
      key,
      rows.map(({ field }) => field),
    );
  });

export const removeByScore = (
  hives: PostgresContext,
  hiveKey: HiveKey,
  bounds: ScoreRange,
): Promise<number> =>
  withKey(hives, sortedSetKey(hiveKey), async (tx, key) => {
    const rows = await many(
      tx,
      sql<{
        field: string;
      }>`select field from hive_entries where key_id = ${key.id} and ${rangeSql(bounds)}`,
    );
    return deleteEntries(
      tx,
      key,
      rows.map(({ field }) => field),
    );
  });

export async function countByScore(
  hives: PostgresContext,
  hiveKey: HiveKey,
  bounds: ScoreRange,
): Promise<number> {
  const found = await findKey(hives, sortedSetKey(hiveKey));
  if (!found) return 0;
  return (
    await one(
      hives.db,
      sql<{
        n: number;
      }>`select count(*)::int as n from hive_entries where key_id = ${found.id} and ${rangeSql(bounds)}`,
    )
  ).n;
}
