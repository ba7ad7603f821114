import { many, maybeOne, one, sql, type Tx } from "#platform/database";
import { Refusal } from "#platform/refusal";
import { countEntries, fieldOf, removeEntries, settle } from "./entries.ts";
import type { Hives } from "./hives.ts";
import { findKey, type Found, onKey, type Place } from "./keys.ts";

type Spot = { hive: string; key: string };
export type Scored = { score: number; value: string };
type Entry = Scored & { field: string };
const at = (spot: Spot): Place => ({ ...spot, kind: "sorted-set" });

type Adding = {
  duplicates?: "OnlyUpdate" | "AlwaysAdd" | undefined;
  scores?: "Greater" | "Less" | undefined;
  result?: "NewAdded" | "TotalChanged" | undefined;
};

/** Puts values in with their scores, or gives those there are new ones, as far as `how` allows; how many are new, or new or changed. Throws `too-large`. */
export const addScored = (hives: Hives, spot: Spot, items: [number, unknown][], how: Adding = {}): Promise<number> =>
  onKey(hives, at(spot), async (tx, held) => {
    const before = await scoresOf(
      tx,
      held,
      items.map(([, value]) => fieldOf(value)),
    );
    const after = new Map<string, Entry>();
    for (const [score, value] of items) {
      const field = fieldOf(value);
      if (mayStand(after.get(field)?.score ?? before.get(field), score, how))
        after.set(field, { field, score, value: JSON.stringify(value) });
    }
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

/** Adds to the score of a value, 0 if it is not there; what it is then. Throws `invalid` for more than a number can be, `too-large`. */
export const addToScore = (hives: Hives, spot: Spot, value: unknown, by: number): Promise<number> =>
  onKey(hives, at(spot), async (tx, held) => {
    const field = fieldOf(value);
    const before = (await scoresOf(tx, held, [field])).get(field);
    const score = (before ?? 0) + by;
    if (!Number.isFinite(score)) throw new Refusal("invalid", "That would be more than a number can be.");
    const entry = { field, score, value: JSON.stringify(value) };
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

async function put(tx: Tx, { id }: Found, made: Entry[], changed: Entry[]): Promise<void> {
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

/** Takes out those with the highest scores, or the lowest, and gives them, the outermost one first. */
export const takeScored = (hives: Hives, spot: Spot, end: "max" | "min", count: number): Promise<Scored[]> =>
  onKey(hives, at(spot), async (tx, held) => {
    const rows = await many(
      tx,
      sql<Entry>`select field, value, score from hive_entries where key_id = ${held.id} order by ${ordered(end === "max")} limit ${count}`,
    );
    await removeEntries(
      tx,
      held,
      rows.map(({ field }) => field),
    );
    return rows;
  });

/** So many by chance, no one twice. */
export async function randomScored(hives: Hives, spot: Spot, count: number): Promise<Scored[]> {
  const found = await findKey(hives, at(spot));
  if (!found) return [];
  return many(hives.db, sql<Scored>`select score, value from hive_entries where key_id = ${found.id} order by random() limit ${count}`);
}

/** The score of a value, null if it is not there. */
export async function scoreOf(hives: Hives, spot: Spot, value: unknown): Promise<number | null> {
  const found = await findKey(hives, at(spot));
  if (!found) return null;
  const row = sql<{ score: number }>`select score from hive_entries where key_id = ${found.id} and field = ${fieldOf(value)}`;
  return (await maybeOne(hives.db, row))?.score ?? null;
}

/** How many stand before a value, or, in reverse, behind it; null if it is not there. */
export async function rankOf(hives: Hives, spot: Spot, value: unknown, reverse = false): Promise<number | null> {
  const found = await findKey(hives, at(spot));
  if (!found) return null;
  const row = await maybeOne(
    hives.db,
    sql<{ rank: number }>`
      select (select count(*)::int from hive_entries o where o.key_id = ${found.id}
        and (o.score, left(o.value, 100) collate "C", o.field) ${reverse ? sql`>` : sql`<`} (e.score, left(e.value, 100) collate "C", e.field)) as rank
      from hive_entries e where e.key_id = ${found.id} and e.field = ${fieldOf(value)}`,
  );
  return row?.rank ?? null;
}

/** Those from one rank to another, both included. Below 0 ranks count from the end. In reverse the highest score has rank 0. */
export async function rangeByRank(hives: Hives, spot: Spot, [start, stop]: [number, number], reverse = false): Promise<Scored[]> {
  const found = await findKey(hives, at(spot));
  return found ? ranked(hives.db, found, [start, stop], reverse) : [];
}

async function ranked(db: Hives["db"] | Tx, { id, entries }: Found, range: [number, number], reverse: boolean): Promise<Entry[]> {
  const [start, stop] = range.map((rank) => (rank < 0 ? entries + rank : rank)) as [number, number];
  const first = Math.max(0, start);
  const count = Math.min(stop, entries - 1) - first + 1;
  if (count <= 0) return [];
  return many(
    db,
    sql<Entry>`select field, value, score from hive_entries where key_id = ${id} order by ${ordered(reverse)} offset ${first} limit ${count}`,
  );
}

type Bound = { score: number; included: boolean } | null;
/** From one score to another; null is no bound. */
export type Bounds = { min: Bound; max: Bound };

const within = ({ min, max }: Bounds) => {
  const above = min ? (min.included ? sql`and score >= ${min.score}` : sql`and score > ${min.score}`) : sql``;
  const below = max ? (max.included ? sql`and score <= ${max.score}` : sql`and score < ${max.score}`) : sql``;
  return sql`score is not null ${above} ${below}`;
};

/** Those within bounds, in their order or its reverse, without the first few, and so many at the most. */
export async function rangeByScore(
  hives: Hives,
  spot: Spot,
  bounds: Bounds,
  { offset = 0, most, reverse = false }: { offset?: number | undefined; most?: number | undefined; reverse?: boolean | undefined },
): Promise<Scored[]> {
  const found = await findKey(hives, at(spot));
  if (!found) return [];
  return many(
    hives.db,
    sql<Scored>`select value, score from hive_entries where key_id = ${found.id} and ${within(bounds)}
      order by ${ordered(reverse)} offset ${offset} limit ${most ?? found.entries}`,
  );
}

/** Takes values out; how many were there. */
export const removeScored = (hives: Hives, spot: Spot, values: unknown[]): Promise<number> =>
  onKey(hives, at(spot), (tx, held) => removeEntries(tx, held, values.map(fieldOf)));

/** Takes out those from one rank to another; how many there were. */
export const removeByRank = (hives: Hives, spot: Spot, range: [number, number]): Promise<number> =>
  onKey(hives, at(spot), async (tx, held) => {
    const rows = await ranked(tx, held, range, false);
    return removeEntries(
      tx,
      held,
      rows.map(({ field }) => field),
    );
  });

/** Takes out those within bounds; how many there were. */
export const removeByScore = (hives: Hives, spot: Spot, bounds: Bounds): Promise<number> =>
  onKey(hives, at(spot), async (tx, held) => {
    const rows = await many(tx, sql<{ field: string }>`select field from hive_entries where key_id = ${held.id} and ${within(bounds)}`);
    return removeEntries(
      tx,
      held,
      rows.map(({ field }) => field),
    );
  });

export const sortedSetLength = (hives: Hives, spot: Spot): Promise<number> => countEntries(hives, at(spot));

/** How many are within bounds. */
export async function countByScore(hives: Hives, spot: Spot, bounds: Bounds): Promise<number> {
  const found = await findKey(hives, at(spot));
  if (!found) return 0;
  return (
    await one(hives.db, sql<{ n: number }>`select count(*)::int as n from hive_entries where key_id = ${found.id} and ${within(bounds)}`)
  ).n;
}
