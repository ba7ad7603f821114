import type { Hives } from "./hives.ts";
import { assertName } from "./names.ts";
import type { Condition, Spot } from "./store.ts";

/** JSON as it was sent; null if there is none. */
export async function readValue({ store }: Hives, { hive, key }: Spot): Promise<string | null> {
  return (await store.keys.find({ hive, kind: "key-value", key }))?.value ?? null;
}

/** The values of these keys as JSON, by key; what is not there is not among them. */
export const readValues = ({ store }: Hives, hive: string, keys: string[]): Promise<Map<string, string>> => store.values.read(hive, keys);

/** Sets all of these, which then have no end. Throws `invalid` for names that are none. */
export async function writeValues({ store }: Hives, hive: string, values: Record<string, unknown>): Promise<void> {
  assertName(...Object.keys(values));
  await store.values.write(
    hive,
    Object.entries(values).map(([field, value]) => ({ field, value: JSON.stringify(value) })),
  );
}

/** Sets a value until a moment, or for good, if the condition holds; whether it did. */
export async function writeValue(
  { store }: Hives,
  spot: Spot,
  { value, until, condition }: { value: unknown; until: Date | null; condition: Condition },
): Promise<boolean> {
  assertName(spot.key);
  return store.values.writeIf(spot, { value: JSON.stringify(value), until, condition });
}

/** Adds to a number, 0 if there is none, and gives what it is then. Throws `invalid` where there is something else, or would be. */
export async function addToValue({ store }: Hives, spot: Spot, by: number): Promise<number> {
  assertName(spot.key);
  return store.values.add(spot, by);
}
