import type { Hives } from "./hives.ts";
import { assertName } from "./hive-names.ts";
import type { WriteCondition, HiveKey } from "./hive-store.ts";

/** Returns the JSON of a value as the client sent it; null if missing. */
export async function readValue({ store }: Hives, { hive, key }: HiveKey): Promise<string | null> {
  return (await store.keys.find({ hive, kind: "key-value", key }))?.value ?? null;
}

/** Returns values as JSON by key; missing keys are left out. */
export const readValues = ({ store }: Hives, hive: string, keys: string[]): Promise<Map<string, string>> =>
  store.values.read(hive, keys);

/**
 * Sets values that do not expire.
 * @throws `invalid` for invalid names
 */
export async function writeValues(
  { store }: Hives,
  hive: string,
  values: Record<string, unknown>,
): Promise<void> {
  assertName(...Object.keys(values));
  await store.values.write(
    hive,
    Object.entries(values).map(([field, value]) => ({ field, value: JSON.stringify(value) })),
  );
}

/** Sets a value, with or without expiry, if the condition is met. Returns whether it was set. */
export async function writeValue(
  { store }: Hives,
  hiveKey: HiveKey,
  { value, until, condition }: { value: unknown; until: Date | null; condition: WriteCondition },
): Promise<boolean> {
  assertName(hiveKey.key);
  return store.values.writeIf(hiveKey, { value: JSON.stringify(value), until, condition });
}

/**
 * Adds to a number, 0 if missing, and returns the new value.
 * @throws `invalid` for a value or result that is not a number
 */
export async function addToValue({ store }: Hives, hiveKey: HiveKey, by: number): Promise<number> {
  assertName(hiveKey.key);
  return store.values.add(hiveKey, by);
}
