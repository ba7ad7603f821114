import { invalid, notFound, Refusal } from "#platform/refusal";
import type { z } from "zod";
import type { Row as Standing } from "#community/published";
import type { Hand } from "../service.ts";

/** A record as it comes in: whatever a program has put into it. */
export type Given = Record<string, unknown>;
export type { Standing };
/**
 * What saving and removing a record of a noun does: the verb that a page would call. An act that is a sentence is refused with
 * it. What is changed is told by comparing: programs send whole records back.
 */
export type Acts = {
  /** Makes one; its objectId. */
  create: string | ((hand: Hand, given: Given) => Promise<string>);
  /** By column: what a new value in it means. What stands in no column here cannot be changed. `given` is the whole record. */
  update: string | Record<string, (hand: Hand, now: Standing, given: Given) => Promise<unknown>>;
  remove: string | ((hand: Hand, now: Standing) => Promise<unknown>);
};

/** Takes out of a record what a verb wants. Throws `invalid` with the first fault. */
export function read<Schema extends z.ZodType>(schema: Schema, given: Given): z.output<Schema> {
  const it = schema.safeParse(given);
  if (it.success) return it.data;
  const [issue] = it.error.issues;
  throw invalid(issue?.path.map(String).join(".") ?? "", issue?.message ?? "That record cannot be read.");
}

/** Says why a record stands in a state from which it does not go there. */
export const noWay = (from: unknown, to: unknown) => new Refusal("not-allowed", `This does not go from ${wordOf(from)} to ${wordOf(to)}.`);

/** A state as it is named: programs may send anything in its place. */
export const wordOf = (state: unknown): string => (typeof state === "string" ? state.slice(0, 60) : "what is no text");

/** The parts of an id that is made of several. */
export function partsOf(id: string): [string, string, string] {
  const [one, two, three = ""] = id.split(":");
  if (one === undefined || two === undefined) throw notFound();
  return [one, two, three];
}

/** Two columns that say the same thing together are done once: by the first of them that has changed. */
export const together = <Do extends (hand: Hand, now: Standing, given: Given) => Promise<unknown>>(names: readonly string[], act: Do) =>
  Object.fromEntries(names.map((name) => [name, act]));
