import { many, run, sql } from "#platform/database";
import { beyondNumbers, noNumber, tooMuchAsked } from "../refusals.ts";
import { type Condition, type Entry, LARGEST, type Spot } from "../store.ts";
import { hiveId, type Rows } from "./hives.ts";
import { assertRoom, onKey } from "./keys.ts";

const KIND = "key-value";

export async function readValues(hives: Rows, hive: string, keys: string[]): Promise<Map<string, string>> {
  // Values beyond the limit are measured in the database and not sent.
  const rows = await many(
    hives.db,
    sql<{ key: string; value: string; size: number }>`
      select key, case when size <= ${LARGEST} then value end as value, size from (
        select key, value, (sum(char_length(value)) over ())::double precision as size from hive_keys
        where hive_id = ${await hiveId(hives, hive)} and kind = ${KIND} and key = any(${keys})
        and (expires_at is null or expires_at > ${hives.world.now()})) as found`,
  );
  if ((rows[0]?.size ?? 0) > LARGEST) throw tooMuchAsked();
  return new Map(rows.map(({ key, value }) => [key, value]));
}

export async function writeValues(hives: Rows, hive: string, values: Entry[]): Promise<void> {
  const keys = values.map(({ field }) => field);
  const hiveOf = await hiveId(hives, hive);
  await assertRoom(hives, { hive, kind: KIND, key: keys[0] ?? "" });
  const texts = values.map(({ value }) => value);
  await run(
    hives.db,
    sql`insert into hive_keys (hive_id, kind, key, value, used_at)
        select ${hiveOf}::uuid, ${KIND}, key, value, ${hives.world.now()}::timestamptz
        from unnest(${keys}::text[], ${texts}::text[]) as given (key, value) order by key collate "C"
        on conflict (hive_id, kind, key) do update set value = excluded.value, used_at = excluded.used_at, expires_at = null`,
  );
}

export async function writeValue(
  hives: Rows,
  { hive, key }: Spot,
  { value, until, condition }: { value: string; until: Date | null; condition: Condition },
): Promise<boolean> {
  const hiveOf = await hiveId(hives, hive);
  const now = hives.world.now();
  const there = sql`(hive_keys.expires_at is null or hive_keys.expires_at > ${now})`;
  if (condition === "IfExists") {
    const changed = sql`update hive_keys set value = ${value}, expires_at = ${until}, used_at = ${now}
      where hive_id = ${hiveOf} and kind = ${KIND} and key = ${key} and ${there}`;
    return (await run(hives.db, changed)) > 0;
  }
  await assertRoom(hives, { hive, kind: KIND, key });
  const written = sql`
    insert into hive_keys (hive_id, kind, key, value, expires_at, used_at)
    values (${hiveOf}, ${KIND}, ${key}, ${value}, ${until}, ${now})
    on conflict (hive_id, kind, key) do update set value = excluded.value, expires_at = excluded.expires_at, used_at = excluded.used_at
    where ${condition === "Always"} or not ${there}`;
  return (await run(hives.db, written)) > 0;
}

export const addToValue = (hives: Rows, spot: Spot, by: number): Promise<number> =>
  onKey(hives, { ...spot, kind: KIND }, async (tx, { id, value }) => {
    const sum = added(value, by);
    await run(tx, sql`update hive_keys set value = ${JSON.stringify(sum)} where id = ${id}`);
    return sum;
  });

/**
 * Adds a number to JSON, or to 0 if null.
 * @throws `invalid` if the JSON is not a number
 */
export function added(text: string | null, by: number): number {
  const before: unknown = text === null ? 0 : JSON.parse(text);
  if (typeof before !== "number") throw noNumber();
  const sum = before + by;
  if (!Number.isFinite(sum)) throw beyondNumbers();
  return sum;
}
