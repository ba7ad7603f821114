import { many, run, sql } from "#platform/database";
import { Refusal } from "#platform/refusal";
import { assertName, hiveId, type Hives } from "./hives.ts";
import { assertRoom, findKey, onKey } from "./keys.ts";

type Spot = { hive: string; key: string };
const KIND = "key-value";

/** JSON as it was sent; null if there is none. */
export async function readValue(hives: Hives, spot: Spot): Promise<string | null> {
  return (await findKey(hives, { ...spot, kind: KIND }))?.value ?? null;
}

/** The values of these keys as JSON, by key; what is not there is not among them. */
export async function readValues(hives: Hives, hive: string, keys: string[]): Promise<Map<string, string>> {
  const rows = await many(
    hives.db,
    sql<{ key: string; value: string }>`select key, value from hive_keys
      where hive_id = ${await hiveId(hives, hive)} and kind = ${KIND} and key = any(${keys})
      and (expires_at is null or expires_at > ${hives.world.now()})`,
  );
  return new Map(rows.map(({ key, value }) => [key, value]));
}

/** Sets all of these, which then have no end. Throws `invalid` for names that are none. */
export async function writeValues(hives: Hives, hive: string, values: Record<string, unknown>): Promise<void> {
  const keys = Object.keys(values);
  assertName(...keys);
  const hiveOf = await hiveId(hives, hive);
  await assertRoom(hives, { hive, kind: KIND, key: keys[0] ?? "" });
  const texts = keys.map((key) => JSON.stringify(values[key]));
  await run(
    hives.db,
    sql`insert into hive_keys (hive_id, kind, key, value, used_at)
        select ${hiveOf}::uuid, ${KIND}, key, value, ${hives.world.now()}::timestamptz
        from unnest(${keys}::text[], ${texts}::text[]) as given (key, value) order by key collate "C"
        on conflict (hive_id, kind, key) do update set value = excluded.value, used_at = excluded.used_at, expires_at = null`,
  );
}

export type Condition = "IfExists" | "IfNotExists" | "Always";

/** Sets a value until a moment, or for good, if the condition holds; whether it did. */
export async function writeValue(
  hives: Hives,
  { hive, key }: Spot,
  { value, until, condition }: { value: unknown; until: Date | null; condition: Condition },
): Promise<boolean> {
  assertName(key);
  const hiveOf = await hiveId(hives, hive);
  const now = hives.world.now();
  const text = JSON.stringify(value);
  const there = sql`(hive_keys.expires_at is null or hive_keys.expires_at > ${now})`;
  if (condition === "IfExists") {
    const changed = sql`update hive_keys set value = ${text}, expires_at = ${until}, used_at = ${now}
      where hive_id = ${hiveOf} and kind = ${KIND} and key = ${key} and ${there}`;
    return (await run(hives.db, changed)) > 0;
  }
  await assertRoom(hives, { hive, kind: KIND, key });
  const written = sql`
    insert into hive_keys (hive_id, kind, key, value, expires_at, used_at)
    values (${hiveOf}, ${KIND}, ${key}, ${text}, ${until}, ${now})
    on conflict (hive_id, kind, key) do update set value = excluded.value, expires_at = excluded.expires_at, used_at = excluded.used_at
    where ${condition === "Always"} or not ${there}`;
  return (await run(hives.db, written)) > 0;
}

/** Adds to a number, 0 if there is none, and gives what it is then. Throws `invalid` where there is something else, or would be. */
export const addToValue = (hives: Hives, spot: Spot, by: number): Promise<number> =>
  onKey(hives, { ...spot, kind: KIND }, async (tx, { id, value }) => {
    const sum = added(value, by);
    await run(tx, sql`update hive_keys set value = ${JSON.stringify(sum)} where id = ${id}`);
    return sum;
  });

/** The sum of what stands as JSON, or 0, and a number. Throws `invalid` for what has none. */
export function added(text: string | null, by: number): number {
  const before: unknown = text === null ? 0 : JSON.parse(text);
  if (typeof before !== "number") throw new Refusal("invalid", "What is there is no number.");
  const sum = before + by;
  if (!Number.isFinite(sum)) throw new Refusal("invalid", "That would be more than a number can be.");
  return sum;
}
