import { many, maybeOne, run, sql, type Tx } from "#platform/database";
import { mapTuple } from "#platform/objects";
import type { ListEnd, StoreEntry, StoreKey, HiveKey } from "../hive-store.ts";
import { updateSize } from "./postgres-entries.ts";
import type { PostgresContext } from "./postgres-hives.ts";
import { findKey, type StoredKey, withKey } from "./postgres-keys.ts";

type ItemRow = { position: string; value: string };
const listKey = (hiveKey: HiveKey): StoreKey => ({ ...hiveKey, kind: "list" });

/**
 * Distance between the positions of neighbouring items. Twenty items can be inserted at one place before a
 * list is renumbered, and 2^43 at an end.
 */
const POSITION_GAP = 2 ** 20;

export async function readList(
  hives: PostgresContext,
  hiveKey: HiveKey,
  from: number,
  to: number,
): Promise<string[]> {
  const found = await findKey(hives, listKey(hiveKey));
  if (!found) return [];
  const [start, stop] = mapTuple([from, to], (index) => (index < 0 ? found.entries + index : index));
  const first = Math.max(0, start);
  const count = Math.min(stop, found.entries - 1) - first + 1;
  return count > 0
    ? (await selectItems(hives.db, found, "first", { offset: first, count })).map(({ value }) => value)
    : [];
}

export async function readItem(
  hives: PostgresContext,
  hiveKey: HiveKey,
  index: number,
): Promise<string | null> {
  const found = await findKey(hives, listKey(hiveKey));
  const offset = index < 0 ? -index - 1 : index;
  if (!found || offset >= found.entries) return null;
  return (
    (await selectItems(hives.db, found, index < 0 ? "last" : "first", { offset, count: 1 }))[0]?.value ?? null
  );
}

export const addToList = (
  hives: PostgresContext,
  hiveKey: HiveKey,
  end: ListEnd,
  items: StoreEntry[],
): Promise<number> =>
  withKey(hives, listKey(hiveKey), async (tx, key) => {
    const outermost = await findEdgePosition(tx, key, end);
    return insertItems(tx, key, items, {
      after: end === "first" ? outermost - BigInt(POSITION_GAP) * BigInt(items.length + 1) : outermost,
      gap: POSITION_GAP,
    });
  });

export const takeFromList = (
  hives: PostgresContext,
  hiveKey: HiveKey,
  end: ListEnd,
  count: number,
): Promise<string[]> =>
  withKey(hives, listKey(hiveKey), async (tx, key) => {
    const rows = await selectItems(tx, key, end, { offset: 0, count });
    await deleteItems(tx, key, rows);
    return rows.map(({ value }) => value);
  });

export const removeFromList = (
  hives: PostgresContext,
  hiveKey: HiveKey,
  field: string,
  count: number,
): Promise<number> =>
  withKey(hives, listKey(hiveKey), async (tx, key) => {
    const order = count < 0 ? sql`position desc` : sql`position`;
    const most = count === 0 ? key.entries : Math.abs(count);
    const rows = await many(
      tx,
      sql<ItemRow>`select position, value from hive_items where key_id = ${key.id} and field = ${field}
        order by ${order} limit ${most}`,
    );
    await deleteItems(tx, key, rows);
    return rows.length;
  });

export const insertIntoList = (
  hives: PostgresContext,
  hiveKey: HiveKey,
  item: StoreEntry,
  anchor: string,
  side: "before" | "after",
): Promise<number> =>
  withKey(hives, listKey(hiveKey), async (tx, key) => {
    const gap = await findGapBeside(tx, key, anchor, side);
    if (gap) return insertItems(tx, key, [item], gap);
    await updateSize(tx, key.id, { entries: 0, size: 0 });
    return -1;
  });

type PositionGap = { after: bigint; gap: number };

/**
 * Finds a free position beside a value, renumbering the list if necessary. Undefined if the value is not in
 * the list.
 */
async function findGapBeside(
  tx: Tx,
  key: StoredKey,
  anchor: string,
  side: "before" | "after",
): Promise<PositionGap | undefined> {
  const found = await findNeighbours(tx, key, anchor, side);
  if (!found) return undefined;
  const between = measureGap(found, side);
  if (between.gap > 0) return between;
  await renumberItems(tx, key);
  return measureGap((await findNeighbours(tx, key, anchor, side))!, side);
}

type NeighbourPositions = { here: string; beside: string | null };

const findNeighbours = (tx: Tx, { id }: StoredKey, anchor: string, side: "before" | "after") => {
  const nearest = side === "before" ? sql`max(position)` : sql`min(position)`;
  const beyond = side === "before" ? sql`position < a.position` : sql`position > a.position`;
  return maybeOne(
    tx,
    sql<NeighbourPositions>`select a.position as here, (select ${nearest} from hive_items
      where key_id = ${id} and ${beyond}) as beside
      from hive_items a where a.key_id = ${id} and a.field = ${anchor} order by a.position limit 1`,
  );
};

/**
 * Returns the lower end of the free range beside an item, and half the width of that range; 0 means no
 * position is free.
 */
function measureGap({ here, beside }: NeighbourPositions, side: "before" | "after"): PositionGap {
  const one = BigInt(here);
  const step = BigInt(POSITION_GAP) * (side === "before" ? -2n : 2n);
  const other = beside === null ? one + step : BigInt(beside);
  const [low, high] = side === "before" ? [other, one] : [one, other];
  return { after: low, gap: Number((high - low) / 2n) };
}

const renumberItems = (tx: Tx, { id }: StoredKey) =>
  run(
    tx,
    sql`update hive_items i set position = n.position
      from (select position as was,
        row_number() over (order by position) * ${POSITION_GAP}::bigint as position from hive_items
          where key_id = ${id}) n
      where i.key_id = ${id} and i.position = n.was`,
  );

/** Returns the outermost position at an end of a list; 0 if the list is empty. */
async function findEdgePosition(tx: Tx, key: StoredKey, end: ListEnd): Promise<bigint> {
  const [row] = await selectItems(tx, key, end, { offset: 0, count: 1 });
  return BigInt(row?.position ?? 0);
}

/** Selects items by their index from an end. */
const selectItems = (
  db: PostgresContext["db"] | Tx,
  { id }: StoredKey,
  end: ListEnd,
  { offset, count }: { offset: number; count: number },
) =>
  many(
    db,
    sql<ItemRow>`select position, value from hive_items where key_id = ${id}
      order by ${end === "first" ? sql`position` : sql`position desc`} offset ${offset} limit ${count}`,
  );

async function insertItems(
  tx: Tx,
  { id }: StoredKey,
  items: StoreEntry[],
  { after, gap }: PositionGap,
): Promise<number> {
  const texts = items.map(({ value }) => value);
  await run(
    tx,
    sql`insert into hive_items (key_id, position, field, value)
      select ${id}::bigint, ${String(after)}::bigint + n * ${gap}::bigint, field, value
      from unnest(${items.map(({ field }) => field)}::text[],
        ${texts}::text[]) with ordinality as given (field, value, n)`,
  );
  return updateSize(tx, id, {
    entries: items.length,
    size: texts.reduce((sum, { length }) => sum + length, 0),
  });
}

async function deleteItems(tx: Tx, { id }: StoredKey, rows: ItemRow[]): Promise<void> {
  const positions = rows.map(({ position }) => position);
  await run(tx, sql`delete from hive_items where key_id = ${id} and position = any(${positions}::bigint[])`);
  await updateSize(tx, id, {
    entries: -rows.length,
    size: -rows.reduce((sum, { value }) => sum + value.length, 0),
  });
}
