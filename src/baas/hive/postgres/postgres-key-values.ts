import { many, run, sql } from "#platform/database";
import { numberOverflow, notANumber, answerTooLarge } from "../hive-errors.ts";
import { type WriteCondition, type StoreEntry, MAX_STORE_CHARACTERS, type HiveKey } from "../hive-store.ts";
import { getHiveId, type PostgresContext } from "./postgres-hives.ts";
import { assertKeyQuota, withKey } from "./postgres-keys.ts";

const VALUE_KIND = "key-value";

export async function readValues(
  hives: PostgresContext,
  hive: string,
  keys: string[],
): Promise<Map<string, string>> {
  // Values are measured in the database, and those beyond the limit are not sent.
  const rows = await many(
    hives.db,
    sql<{ key: string; value: string; size: number }>`
      select key, case when size <= ${MAX_STORE_CHARACTERS} then value end as value, size from (
        select key, value, (sum(char_length(value)) over ())::double precision as size from hive_keys
        where hive_id = ${await getHiveId(hives, hive)} and kind = ${VALUE_KIND} and key = any(${keys})
        and (expires_at is null or expires_at > ${hives.runtime.now()})) as found`,
  );
  if ((rows[0]?.size ?? 0) > MAX_STORE_CHARACTERS) throw answerTooLarge();
  return new Map(rows.map(({ key, value }) => [key, value]));
}

export async function writeValues(hives: PostgresContext, hive: string, values: StoreEntry[]): Promise<void> {
  const keys = values.map(({ field }) => field);
  const hiveOf = await getHiveId(hives, hive);
  await assertKeyQuota(hives, { hive, kind: VALUE_KIND, key: keys[0] ?? "" });
  const texts = values.map(({ value }) => value);
  await run(
    hives.db,
    sql`insert into hive_keys (hive_id, kind, key, value, used_at)
        select ${hiveOf}::uuid, ${VALUE_KIND}, key, value, ${hives.runtime.now()}::timestamptz
        from unnest(${keys}::text[], ${texts}::text[]) as given (key, value) order by key collate "C"
        on conflict (hive_id, kind, key) do update set value = excluded.value, used_at = excluded.used_at,
          expires_at = null`,
  );
}

export async function writeValue(
  hives: PostgresContext,
  { hive, key }: HiveKey,
  { value, until, condition }: { value: string; until: Date | null; condition: WriteCondition },
): Promise<boolean> {
  const hiveOf = await getHiveId(hives, hive);
  const now = hives.runtime.now();
  const there = sql`(hive_keys.expires_at is null or hive_keys.expires_at > ${now})`;
  if (condition === "IfExists") {
    const changed = sql`update hive_keys set value = ${value}, expires_at = ${until}, used_at = ${now}
      where hive_id = ${hiveOf} and kind = ${VALUE_KIND} and key = ${key} and ${there}`;
    return (await run(hives.db, changed)) > 0;
  }
  await assertKeyQuota(hives, { hive, kind: VALUE_KIND, key });
  const written = sql`
    insert into hive_keys (hive_id, kind, key, value, expires_at, used_at)
    values (${hiveOf}, ${VALUE_KIND}, ${key}, ${value}, ${until}, ${now})
    on conflict (hive_id, kind, key) do update set value = excluded.value, expires_at = excluded.expires_at,
      used_at = excluded.used_at
    where ${condition === "Always"} or not ${there}`;
  return (await run(hives.db, written)) > 0;
}

export const addToValue = (hives: PostgresContext, hiveKey: HiveKey, by: number): Promise<number> =>
  withKey(hives, { ...hiveKey, kind: VALUE_KIND }, async (tx, { id, value }) => {
    const sum = addToJsonNumber(value, by);
    await run(tx, sql`update hive_keys set value = ${JSON.stringify(sum)} where id = ${id}`);
    return sum;
  });

/**
 * Adds a number to JSON, or to 0 if null.
 * @throws `invalid` if the JSON is not a number
 */
export function addToJsonNumber(text: string | null, by: number): number {
  const before: unknown = text === null ? 0 : JSON.parse(text);
  if (typeof before !== "number") throw notANumber();
  const sum = before + by;
  if (!Number.isFinite(sum)) throw numberOverflow();
  return sum;
}
