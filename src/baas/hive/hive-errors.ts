import { Refusal } from "#platform/refusal";
import {
  MAX_STORE_CHARACTERS,
  MAX_COMBINED_CHARACTERS,
  MAX_NAME_LENGTH,
  MAX_COMBINED,
  MAX_ENTRIES,
  MAX_HIVES,
} from "./hive-store.ts";

/** Refusals of hives, the same for PostgreSQL and Redis. */
export const hiveNotFound = (name: string) =>
  new Refusal("not-found", `There is no hive '${name.slice(0, MAX_NAME_LENGTH)}'.`);
export const hiveExists = (name: string) => new Refusal("conflict", `The hive '${name}' already exists.`);
export const tooManyHives = () => new Refusal("too-large", `There are ${MAX_HIVES} hives, the maximum.`);
export const keyNotFound = (key: string) =>
  new Refusal("not-found", `There is no key '${key.slice(0, MAX_NAME_LENGTH)}'.`);
export const tooManyKeys = () => new Refusal("too-large", "The maximum number of hive keys is reached.");
export const storeFull = () =>
  new Refusal(
    "too-large",
    `A hive store can have at most ${MAX_ENTRIES} entries and ${MAX_STORE_CHARACTERS} characters in total.`,
  );
export const setsTooLarge = () =>
  new Refusal(
    "too-large",
    `Sets of more than ${MAX_COMBINED} entries or ${MAX_COMBINED_CHARACTERS} characters in total cannot be combined.`,
  );
export const answerTooLarge = () =>
  new Refusal("too-large", `One call can read at most ${MAX_STORE_CHARACTERS} characters in total.`);
export const notANumber = () => new Refusal("invalid", "The stored value is not a number.");
export const numberOverflow = () => new Refusal("invalid", "The result would be too large for a number.");
