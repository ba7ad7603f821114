import { many, maybeOne, run, sql, type Tx } from "#platform/database";
import { countEntries, fieldOf, settle } from "./entries.ts";
import type { Hives } from "./hives.ts";
import { findKey, type Found, onKey, type Place } from "./keys.ts";

type Spot = { hive: string; key: string };
type End = "first" | "last";
type Row = { position: string; value: string };
const at = (spot: Spot): Place => ({ ...spot, kind: "list" });

/** Between two positions that follow each other at an end: room for twenty insertions at one spot, and for 2^43 at an end. */
const GAP = 2 ** 20;

/** What is from one index to another, both included, as JSON, in order. Below 0 they count from the end. */
export async function readList(hives: Hives, spot: Spot, from = 0, to = -1): Promise<string[]> {
  const found = await findKey(hives, at(spot));
  if (!found) return [];
  const [start, stop] = [from, to].map((index) => (index < 0 ? found.entries + index : index)) as [number, number];
  const first = Math.max(0, start);
  const count = Math.min(stop, found.entries - 1) - first + 1;
  return count > 0 ? (await itemsAt(hives.db, found, "first", { offset: first, count })).map(({ value }) => value) : [];
}

/** What is at an index as JSON, from the end below 0; null if there is nothing. */
export async function readItem(hives: Hives, spot: Spot, index: number): Promise<string | null> {
  const found = await findKey(hives, at(spot));
  const offset = index < 0 ? -index - 1 : index;
  if (!found || offset >= found.entries) return null;
  return (await itemsAt(hives.db, found, index < 0 ? "last" : "first", { offset, count: 1 }))[0]?.value ?? null;
}

export const listLength = (hives: Hives, spot: Spot): Promise<number> => countEntries(hives, at(spot));

/** Puts values before all others, in the order in which they are given; how many there are then. Throws `too-large`. */
export const addFirst = (hives: Hives, spot: Spot, values: unknown[]): Promise<number> =>
  onKey(hives, at(spot), async (tx, held) => {
    const before = await edge(tx, held, "first");
    return put(tx, held, values, { after: before - BigInt(GAP) * BigInt(values.length + 1), gap: GAP });
  });

/** Puts values after all others, in their order; how many there are then. Throws `too-large`. */
export const addLast = (hives: Hives, spot: Spot, values: unknown[]): Promise<number> =>
  onKey(hives, at(spot), async (tx, held) => put(tx, held, values, { after: await edge(tx, held, "last"), gap: GAP }));

/** Takes up to so many from the beginning and gives them in their order. */
export const takeFirst = (hives: Hives, spot: Spot, count: number): Promise<string[]> => take(hives, spot, "first", count);

/** Takes up to so many from the end and gives them, the last one first. */
export const takeLast = (hives: Hives, spot: Spot, count: number): Promise<string[]> => take(hives, spot, "last", count);

const take = (hives: Hives, spot: Spot, end: End, count: number) =>
  onKey(hives, at(spot), async (tx, held) => {
    const rows = await itemsAt(tx, held, end, { offset: 0, count });
    await remove(tx, held, rows);
    return rows.map(({ value }) => value);
  });

/** Takes a value out: everywhere, or the first few, or, below 0, the last few; how many that were. */
export const removeFromList = (hives: Hives, spot: Spot, value: unknown, count = 0): Promise<number> =>
  onKey(hives, at(spot), async (tx, held) => {
    const order = count < 0 ? sql`position desc` : sql`position`;
    const most = count === 0 ? held.entries : Math.abs(count);
    const rows = await many(
      tx,
      sql<Row>`select position, value from hive_items where key_id = ${held.id} and field = ${fieldOf(value)} order by ${order} limit ${most}`,
    );
    await remove(tx, held, rows);
    return rows.length;
  });

/** Puts a value beside the first one that equals `anchor`; how many there are then, or -1 if there is no such one. Throws `too-large`. */
export const insertBeside = (
  hives: Hives,
  spot: Spot,
  { value, anchor, side }: { value: unknown; anchor: unknown; side: "before" | "after" },
): Promise<number> =>
  onKey(hives, at(spot), async (tx, held) => {
    const gap = await gapBeside(tx, held, anchor, side);
    if (gap) return put(tx, held, [value], gap);
    await settle(tx, held.id, { entries: 0, size: 0 });
    return -1;
  });

type Gap = { after: bigint; gap: number };

/** Room beside a value, made by numbering the list anew if there is none. Undefined without such a value. */
async function gapBeside(tx: Tx, held: Found, anchor: unknown, side: "before" | "after"): Promise<Gap | undefined> {
  const found = await neighbours(tx, held, anchor, side);
  if (!found) return undefined;
  const between = gapOf(found, side);
  if (between.gap > 0) return between;
  await renumber(tx, held);
  return gapOf((await neighbours(tx, held, anchor, side))!, side);
}

type Neighbours = { here: string; beside: string | null };

const neighbours = (tx: Tx, { id }: Found, anchor: unknown, side: "before" | "after") => {
  const nearest = side === "before" ? sql`max(position)` : sql`min(position)`;
  const beyond = side === "before" ? sql`position < a.position` : sql`position > a.position`;
  return maybeOne(
    tx,
    sql<Neighbours>`select a.position as here, (select ${nearest} from hive_items where key_id = ${id} and ${beyond}) as beside
      from hive_items a where a.key_id = ${id} and a.field = ${fieldOf(anchor)} order by a.position limit 1`,
  );
};

/** The lower end of what is free, and the step from it to its middle; 0 where nothing is free. */
function gapOf({ here, beside }: Neighbours, side: "before" | "after"): Gap {
  const one = BigInt(here);
  const step = BigInt(GAP) * (side === "before" ? -2n : 2n);
  const other = beside === null ? one + step : BigInt(beside);
  const [low, high] = side === "before" ? [other, one] : [one, other];
  return { after: low, gap: Number((high - low) / 2n) };
}

const renumber = (tx: Tx, { id }: Found) =>
  run(
    tx,
    sql`update hive_items i set position = n.position
      from (select position as was, row_number() over (order by position) * ${GAP}::bigint as position from hive_items where key_id = ${id}) n
      where i.key_id = ${id} and i.position = n.was`,
  );

/** The outermost position at an end, 0 where there is nothing. */
async function edge(tx: Tx, held: Found, end: End): Promise<bigint> {
  const [row] = await itemsAt(tx, held, end, { offset: 0, count: 1 });
  return BigInt(row?.position ?? 0);
}

/** Items from an end on, in the order in which they come from there. */
const itemsAt = (db: Hives["db"] | Tx, { id }: Found, end: End, { offset, count }: { offset: number; count: number }) =>
  many(
    db,
    sql<Row>`select position, value from hive_items where key_id = ${id}
      order by ${end === "first" ? sql`position` : sql`position desc`} offset ${offset} limit ${count}`,
  );

async function put(tx: Tx, { id }: Found, values: unknown[], { after, gap }: Gap): Promise<number> {
  const texts = values.map((value) => JSON.stringify(value));
  await run(
    tx,
    sql`insert into hive_items (key_id, position, field, value)
      select ${id}::bigint, ${String(after)}::bigint + n * ${gap}::bigint, field, value
      from unnest(${values.map(fieldOf)}::text[], ${texts}::text[]) with ordinality as given (field, value, n)`,
  );
  return settle(tx, id, { entries: values.length, size: texts.reduce((sum, { length }) => sum + length, 0) });
}

async function remove(tx: Tx, { id }: Found, rows: Row[]): Promise<void> {
  const positions = rows.map(({ position }) => position);
  await run(tx, sql`delete from hive_items where key_id = ${id} and position = any(${positions}::bigint[])`);
  await settle(tx, id, { entries: -rows.length, size: -rows.reduce((sum, { value }) => sum + value.length, 0) });
}
