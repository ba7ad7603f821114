import { createHash } from "node:crypto";
import { msg } from "#platform/messages";
import { Refusal } from "#platform/refusal";
import { type StoreEntry, MAX_NAME_LENGTH } from "./hive-store.ts";

/**
 * Checks names of hives, stores or entries.
 * @throws `invalid`
 */
export function assertName(...names: string[]): void {
  for (const name of names)
    if (name === "" || name.length > MAX_NAME_LENGTH)
      throw new Refusal(
        "invalid",
        msg("Names of hives and keys must have 1 to {count} characters.", { count: MAX_NAME_LENGTH }),
      );
}

/** Hash of a value, independent of the order of its properties. */
export const hashValue = (value: unknown): string =>
  createHash("sha256")
    .update(JSON.stringify(value, (_key, it: unknown) => (isPlainObject(it) ? sortKeys(it) : it)))
    .digest("base64url");

/** Creates an entry whose field is the hash of its value. */
export const createHashedEntry = (value: unknown): StoreEntry => ({
  field: hashValue(value),
  value: JSON.stringify(value),
});

const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const sortKeys = (value: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
