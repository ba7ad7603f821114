import { many, maybeOne, one, sql, type Tx } from "#platform/database";
import { beyondNumbers } from "../refusals.ts";
import type { Adding, Bounds, Cut, Entry, Place, Scored, ScoredEntry, Spot } from "../store.ts";
import { settle, takeOut } from "./entries.ts";
import type { Rows } from "./hives.ts";
import { findKey, type Found, onKey } from "./keys.ts";

const at = (spot: Spot): Place => ({ ...spot, kind: "sorted-set" });

export const addScored = (hives: Rows, spot: Spot, items: ScoredEntry[], how: Adding): Promise<number> =>
  onKey(hives, at(spot), async (tx, held) => {
    const before = await scoresOf(
      tx,
      held,
      items.map(({ field }) => field),
    );
    const after = new Map<string, ScoredEntry>();
    for (const item of items)
      if (mayStand(after.get(item.field)?.score ?? before.get(item.field), item.score, how)) after.set(item.field, item);
    const entries = [...after.values()];
    const made = entries.filter(({ field }) => !before.has(field));
    const changed = entries.filter(({ field, score }) => before.has(field) && before.get(field) !== score);
    await put(tx, held, made, changed);
    return how.result === "TotalChanged" ? made.length + changed.length : made.length;
  });

function mayStand(before: number | undefined, score: number, { duplicates, scores }: Adding): boolean {
  if (before === undefined) return duplicates !== "OnlyUpdate";
  if (duplicates === "AlwaysAdd") return false;
  return scores === "Greater" ? score > before : scores === "Less" ? score < before : true;
}

export const addToScore = (hives: Rows, spot: Spot, { field, value }: Entry, by: number): Promise<number> =>
  onKey(hives, at(spot), async (tx, held) => {
    const before = (await scoresOf(tx, held, [field])).get(field);
    const score = (before ?? 0) + by;
    if (!Number.isFinite(score)) throw beyondNumbers();
    const entry = { field, score, value };
    await (before === undefined ? put(tx, held, [entry], []) : put(tx, held, [], [entry]));
    return score;
  });

async function scoresOf(tx: Tx, { id }: Found, fields: string[]): Promise<Map<string, number>> {
  const rows = await many(
    tx,
    sql<{ field: string; score: number }>`select field, score from hive_entries where key_id = ${id} and field = any(${fields})`,
  );
  return new Map(rows.map(({ field, score }) => [field, score]));
}

async function put(tx: Tx, { id }: Found, made: ScoredEntry[], changed: ScoredEntry[]): Promise<void> {
  const all = [...made, ...changed];
  const { size } = await one(
    tx,
    sql<{ size: string }>`
      with put as (insert into hive_entries (key_id, field, value, score) select ${id}::bigint, f, v, s
        from unnest(${all.map(({ field }) => field)}::text[], ${all.map(({ value }) => value)}::text[], ${all.map(({ score }) => score)}::float8[])
          as given (f, v, s)
        on conflict (key_id, field) do update set score = excluded.score)
      select coalesce(sum(char_length(v)), 0) as size from unnest(${made.map(({ value }) => value)}::text[]) v`,
  );
  await settle(tx, id, { entries: made.length, size: Number(size) });
}

const UP = sql`score, left(value, 100) collate "C", field`;
const DOWN = sql`score desc, left(value, 100) collate "C" desc, field desc`;
const ordered = (reverse: boolean) => (reverse ? DOWN : UP);

export const takeScored = (hives: Rows, spot: Spot, end: "max" | "min", count: number): Promise<Scored[]> =>
  onKey(hives, at(spot), async (tx, held) => {
    const rows = await many(
      tx,
      sql<ScoredEntry>`select field, value, score from hive_entries where key_id = ${held.id} order by ${ordered(end === "max")} limit ${count}`,
    );
    await takeOut(
      tx,
      held,
      rows.map(({ field }) => field),
    );
    return rows;
  });

export async function randomScored(hives: Rows, spot: Spot, count: number): Promise<Scored[]> {
  const found = await findKey(hives, at(spot));
  if (!found) return [];
  return many(hives.db, sql<Scored>`select score, value from hive_entries where key_id = ${found.id} order by random() limit ${count}`);
}

export async function scoreOf(hives: Rows, spot: Spot, field: string): Promise<number | null> {
  const found = await findKey(hives, at(spot));
  if (!found) return null;
  const row = sql<{ score: number }>`select score from hive_entries where key_id = ${found.id} and field = ${field}`;
  return (await maybeOne(hives.db, row))?.score ?? null;
}

export async function rankOf(hives: Rows, spot: Spot, field: string, reverse: boolean): Promise<number | null> {
  const found = await findKey(hives, at(spot));
  if (!found) return null;
  const row = await maybeOne(
    hives.db,
    sql<{ rank: number }>`
      select (select count(*)::int from hive_entries o where o.key_id = ${found.id}
        and (o.score, left(o.value, 100) collate "C", o.field) ${reverse ? sql`>` : sql`<`} (e.score, left(e.value, 100) collate "C", e.field)) as rank
      from hive_entries e where e.key_id = ${found.id} and e.field = ${field}`,
  );
  return row?.rank ?? null;
}

export async function rangeByRank(hives: Rows, spot: Spot, [start, stop]: [number, number], reverse: boolean): Promise<Scored[]> {
  const found = await findKey(hives, at(spot));
  return found ? ranked(hives.db, found, [start, stop], reverse) : [];
}

async function ranked(db: Rows["db"] | Tx, { id, entries }: Found, range: [number, number], reverse: boolean): Promise<ScoredEntry[]> {
  const [start, stop] = range.map((rank) => (rank < 0 ? entries + rank : rank)) as [number, number];
  const first = Math.max(0, start);
  const count = Math.min(stop, entries - 1) - first + 1;
  if (count <= 0) return [];
  return many(
    db,
    sql<ScoredEntry>`select field, value, score from hive_entries where key_id = ${id} order by ${ordered(reverse)} offset ${first} limit ${count}`,
  );
}

const within = ({ min, max }: Bounds) => {
  const above = min ? (min.included ? sql`and score >= ${min.score}` : sql`and score > ${min.score}`) : sql``;
  const below = max ? (max.included ? sql`and score <= ${max.score}` : sql`and score < ${max.score}`) : sql``;
  return sql`score is not null ${above} ${below}`;
};

export async function rangeByScore(hives: Rows, spot: Spot, bounds: Bounds, { offset = 0, most, reverse = false }: Cut): Promise<Scored[]> {
  const found = await findKey(hives, at(spot));
  if (!found) return [];
  return many(
    hives.db,
    sql<Scored>`select value, score from hive_entries where key_id = ${found.id} and ${within(bounds)}
      order by ${ordered(reverse)} offset ${offset} limit ${most ?? found.entries}`,
  );
}

export const removeByRank = (hives: Rows, spot: Spot, range: [number, number]): Promise<number> =>
  onKey(hives, at(spot), async (tx, held) => {
    const rows = await ranked(tx, held, range, false);
    return takeOut(
      tx,
      held,
      rows.map(({ field }) => field),
    );
  });

export const removeByScore = (hives: Rows, spot: Spot, bounds: Bounds): Promise<number> =>
  onKey(hives, at(spot), async (tx, held) => {
    const rows = await many(tx, sql<{ field: string }>`select field from hive_entries where key_id = ${held.id} and ${within(bounds)}`);
    return takeOut(
      tx,
      held,
      rows.map(({ field }) => field),
    );
  });

export async function countByScore(hives: Rows, spot: Spot, bounds: Bounds): Promise<number> {
  const found = await findKey(hives, at(spot));
  if (!found) return 0;
  return (
    await one(hives.db, sql<{ n: number }>`select count(*)::int as n from hive_entries where key_id = ${found.id} and ${within(bounds)}`)
  ).n;
}
