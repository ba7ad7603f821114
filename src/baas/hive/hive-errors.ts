import { msg } from "#platform/messages";
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
  new Refusal("not-found", msg("There is no hive ''{name}''.", { name: name.slice(0, MAX_NAME_LENGTH) }));
export const hiveExists = (name: string) =>
  new Refusal("conflict", msg("The hive ''{name}'' already exists.", { name }));
export const tooManyHives = () =>
  new Refusal("too-large", msg("There are {count} hives, the maximum.", { count: MAX_HIVES }));
export const keyNotFound = (key: string) =>
  new Refusal("not-found", msg("There is no key ''{key}''.", { key: key.slice(0, MAX_NAME_LENGTH) }));
export const tooManyKeys = () => new Refusal("too-large", "The maximum number of hive keys is reached.");
export const storeFull = () =>
  new Refusal(
    "too-large",
    msg("A hive store can have at most {count} entries and {count2} characters in total.", {
      count: MAX_ENTRIES,
      count2: MAX_STORE_CHARACTERS,
    }),
  );
export const setsTooLarge = () =>
  new Refusal(
    "too-large",
    msg("Sets of more than {count} entries or {count2} characters in total cannot be combined.", {
      count: MAX_COMBINED,
      count2: MAX_COMBINED_CHARACTERS,
    }),
  );
export const answerTooLarge = () =>
  new Refusal(
    "too-large",
    msg("One call can read at most {count} characters in total.", { count: MAX_STORE_CHARACTERS }),
  );
export const notANumber = () => new Refusal("invalid", "The stored value is not a number.");
export const numberOverflow = () => new Refusal("invalid", "The result would be too large for a number.");
