import { Refusal } from "#platform/refusal";
import { LARGEST, LARGEST_COMBINED, LONGEST_NAME, MOST_COMBINED, MOST_ENTRIES, MOST_HIVES } from "./store.ts";

/** Refusals of hives, the same for PostgreSQL and Redis. */
export const noSuchHive = (name: string) => new Refusal("not-found", `There is no hive '${name.slice(0, LONGEST_NAME)}'.`);
export const hiveIsThere = (name: string) => new Refusal("conflict", `There is a hive '${name}' already.`);
export const tooManyHives = () => new Refusal("too-large", `There are ${MOST_HIVES} hives, as many as can be.`);
export const noSuchKey = (key: string) => new Refusal("not-found", `There is nothing under the key '${key.slice(0, LONGEST_NAME)}'.`);
export const tooManyKeys = () => new Refusal("too-large", "There are as many keys in the hives as can be.");
export const tooMuch = () =>
  new Refusal("too-large", `A store of a hive holds ${MOST_ENTRIES} entries of ${LARGEST} characters together at the most.`);
export const tooMuchTogether = () =>
  new Refusal(
    "too-large",
    `Sets of more than ${MOST_COMBINED} entries or ${LARGEST_COMBINED} characters in all are not looked at together.`,
  );
export const tooMuchAsked = () => new Refusal("too-large", `One call reads values of ${LARGEST} characters together at the most.`);
export const noNumber = () => new Refusal("invalid", "What is there is no number.");
export const beyondNumbers = () => new Refusal("invalid", "That would be more than a number can be.");
