import { createHash } from "node:crypto";
import { Refusal } from "#platform/refusal";
import { type Entry, LONGEST_NAME } from "./store.ts";

/** @throws `invalid` for an invalid name of a hive, store or entry */
export function assertName(...names: string[]): void {
  for (const name of names)
    if (name === "" || name.length > LONGEST_NAME)
      throw new Refusal("invalid", `Names of hives and keys have 1 to ${LONGEST_NAME} characters.`);
}

/** Hash of a value, independent of the order of its properties. */
export const fieldOf = (value: unknown): string =>
  createHash("sha256")
    .update(JSON.stringify(value, (_key, it: unknown) => (isPlain(it) ? sorted(it) : it)))
    .digest("base64url");

/** An entry identified by the hash of its value. */
export const hashed = (value: unknown): Entry => ({ field: fieldOf(value), value: JSON.stringify(value) });

const isPlain = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);
const sorted = (value: Record<string, unknown>) => Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
