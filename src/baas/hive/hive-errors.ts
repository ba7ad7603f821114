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
export const hiveExists = (name: string) => new Refusal("conflict", `There is a hive '${name}' already.`);
export const tooManyHives = () =>
  new Refusal("too-large", `There are ${MAX_HIVES} hives, as many as can be.`);
export const keyNotFound = (key: string) =>
  new Refusal("not-found", `There is nothing under the key '${key.slice(0, MAX_NAME_LENGTH)}'.`);
export const tooManyKeys = () => new Refusal("too-large", "There are as many keys in the hives as can be.");
export const storeFull = () =>
  new Refusal(
    "too-large",
    `A store of a hive holds ${MAX_ENTRIES} entries of ${MAX_STORE_CHARACTERS} characters together at the most.`,
  );
export const setsTooLarge = () =>
  new Refusal(
    "too-large",
    `Sets of more than ${MAX_COMBINED} entries or ${MAX_COMBINED_CHARACTERS} characters in all are not looked at together.`,
  );
export const answerTooLarge = () =>
  new Refusal(
    "too-large",
    `One call reads values of ${MAX_STORE_CHARACTERS} characters together at the most.`,
  );
export const notANumber = () => new Refusal("invalid", "What is there is no number.");
export const numberOverflow = () => new Refusal("invalid", "That would be more than a number can be.");
