import { many, maybeOne, run, sql, type Tx } from "#platform/database";
import type { End, Entry, Place, Spot } from "../store.ts";
import { settle } from "./entries.ts";
import type { Rows } from "./hives.ts";
import { findKey, type Found, onKey } from "./keys.ts";

type Row = { position: string; value: string };
const at = (spot: Spot): Place => ({ ...spot, kind: "list" });

/** Distance between neighbouring positions: enough for twenty insertions at one spot, and 2^43 at an end. */
const GAP = 2 ** 20;

export async function readList(hives: Rows, spot: Spot, from: number, to: number): Promise<string[]> {
  const found = await findKey(hives, at(spot));
  if (!found) return [];
  const [start, stop] = [from, to].map((index) => (index < 0 ? found.entries + index : index)) as [number, number];
  const first = Math.max(0, start);
  const count = Math.min(stop, found.entries - 1) - first + 1;
  return count > 0 ? (await itemsAt(hives.db, found, "first", { offset: first, count })).map(({ value }) => value) : [];
}

export async function readItem(hives: Rows, spot: Spot, index: number): Promise<string | null> {
  const found = await findKey(hives, at(spot));
  const offset = index < 0 ? -index - 1 : index;
  if (!found || offset >= found.entries) return null;
  return (await itemsAt(hives.db, found, index < 0 ? "last" : "first", { offset, count: 1 }))[0]?.value ?? null;
}

export const addToList = (hives: Rows, spot: Spot, end: End, items: Entry[]): Promise<number> =>
  onKey(hives, at(spot), async (tx, held) => {
    const outermost = await edge(tx, held, end);
    return put(tx, held, items, { after: end === "first" ? outermost - BigInt(GAP) * BigInt(items.length + 1) : outermost, gap: GAP });
  });

export const takeFromList = (hives: Rows, spot: Spot, end: End, count: number): Promise<string[]> =>
  onKey(hives, at(spot), async (tx, held) => {
    const rows = await itemsAt(tx, held, end, { offset: 0, count });
    await remove(tx, held, rows);
    return rows.map(({ value }) => value);
  });

export const removeFromList = (hives: Rows, spot: Spot, field: string, count: number): Promise<number> =>
  onKey(hives, at(spot), async (tx, held) => {
    const order = count < 0 ? sql`position desc` : sql`position`;
    const most = count === 0 ? held.entries : Math.abs(count);
    const rows = await many(
      tx,
      sql<Row>`select position, value from hive_items where key_id = ${held.id} and field = ${field} order by ${order} limit ${most}`,
    );
    await remove(tx, held, rows);
    return rows.length;
  });

export const insertInList = (hives: Rows, spot: Spot, item: Entry, anchor: string, side: "before" | "after"): Promise<number> =>
  onKey(hives, at(spot), async (tx, held) => {
    const gap = await gapBeside(tx, held, anchor, side);
    if (gap) return put(tx, held, [item], gap);
    await settle(tx, held.id, { entries: 0, size: 0 });
    return -1;
  });

type Gap = { after: bigint; gap: number };

/**
 * A free position beside a value; the list is renumbered if there is none. Undefined without such a value.
 */
async function gapBeside(tx: Tx, held: Found, anchor: string, side: "before" | "after"): Promise<Gap | undefined> {
  const found = await neighbours(tx, held, anchor, side);
  if (!found) return undefined;
  const between = gapOf(found, side);
  if (between.gap > 0) return between;
  await renumber(tx, held);
  return gapOf((await neighbours(tx, held, anchor, side))!, side);
}

type Neighbours = { here: string; beside: string | null };

const neighbours = (tx: Tx, { id }: Found, anchor: string, side: "before" | "after") => {
  const nearest = side === "before" ? sql`max(position)` : sql`min(position)`;
  const beyond = side === "before" ? sql`position < a.position` : sql`position > a.position`;
  return maybeOne(
    tx,
    sql<Neighbours>`select a.position as here, (select ${nearest} from hive_items where key_id = ${id} and ${beyond}) as beside
      from hive_items a where a.key_id = ${id} and a.field = ${anchor} order by a.position limit 1`,
  );
};

/** The lower end of the free range, and half its width; 0 if nothing is free. */
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

/** The outermost position at an end; 0 in an empty list. */
async function edge(tx: Tx, held: Found, end: End): Promise<bigint> {
  const [row] = await itemsAt(tx, held, end, { offset: 0, count: 1 });
  return BigInt(row?.position ?? 0);
}

/** Items counted from an end. */
const itemsAt = (db: Rows["db"] | Tx, { id }: Found, end: End, { offset, count }: { offset: number; count: number }) =>
  many(
    db,
    sql<Row>`select position, value from hive_items where key_id = ${id}
      order by ${end === "first" ? sql`position` : sql`position desc`} offset ${offset} limit ${count}`,
  );

async function put(tx: Tx, { id }: Found, items: Entry[], { after, gap }: Gap): Promise<number> {
  const texts = items.map(({ value }) => value);
  await run(
    tx,
    sql`insert into hive_items (key_id, position, field, value)
      select ${id}::bigint, ${String(after)}::bigint + n * ${gap}::bigint, field, value
      from unnest(${items.map(({ field }) => field)}::text[], ${texts}::text[]) with ordinality as given (field, value, n)`,
  );
  return settle(tx, id, { entries: items.length, size: texts.reduce((sum, { length }) => sum + length, 0) });
}

async function remove(tx: Tx, { id }: Found, rows: Row[]): Promise<void> {
  const positions = rows.map(({ position }) => position);
  await run(tx, sql`delete from hive_items where key_id = ${id} and position = any(${positions}::bigint[])`);
  await settle(tx, id, { entries: -rows.length, size: -rows.reduce((sum, { value }) => sum + value.length, 0) });
}
