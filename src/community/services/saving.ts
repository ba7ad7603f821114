import { Refusal } from "#platform/refusal";
import { PUBLISHED, type Row, rowFor } from "#community/published";
import { type Given } from "./acts/act.ts";
import { ACTS } from "./acts/index.ts";
import type { Hand } from "./service.ts";

/** Why records of a noun are not made, changed or removed by programs; null where they are. */
export const whyNot = (noun: string, act: "create" | "update" | "remove"): string | null => {
  const found = ACTS[noun]![act];
  return typeof found === "string" ? found : null;
};

const refused = (sentence: string) => new Refusal("not-allowed", sentence);

/** Makes a record by the verb that a page would call; its objectId. Throws the verb's refusals, `not-allowed` where there is no verb. */
export async function createRecord(hand: Hand, noun: string, given: Given): Promise<string> {
  const { create } = ACTS[noun]!;
  if (typeof create === "string") throw refused(create);
  return create(hand, given);
}

/**
 * Changes a record by the verbs of the columns in which something else stands now. Programs send whole records back: what is
 * as it was is left alone. Throws `not-found`, the verbs' refusals, and `not-allowed` for a column without a verb.
 */
export async function changeRecord(hand: Hand, noun: string, objectId: string, given: Given): Promise<void> {
  const { update } = ACTS[noun]!;
  const now = await rowFor(hand.tx, hand.viewer, noun, objectId);
  if (typeof update === "string") throw refused(update);
  const changed = changedIn(noun, now, given);
  const fixed = changed.find((name) => !Object.hasOwn(update, name));
  if (fixed !== undefined) throw refused(`“${fixed}” of ${noun} cannot be changed.`);
  for (const act of new Set(changed.map((name) => update[name]!))) await act(hand, now, given);
}

/** Removes a record by the verb that a page would call. Throws `not-found`, the verb's refusals, `not-allowed` where there is none. */
export async function removeRecord(hand: Hand, noun: string, objectId: string): Promise<void> {
  const { remove } = ACTS[noun]!;
  const now = await rowFor(hand.tx, hand.viewer, noun, objectId);
  if (typeof remove === "string") throw refused(remove);
  await remove(hand, now);
}

/** What a record bears beside its columns, and what nobody gives it. */
const OF_ITSELF = new Set(["objectId", "ownerId", "created", "updated"]);

function changedIn(noun: string, now: Row, given: Given): string[] {
  const { columns } = PUBLISHED.find(({ name }) => name === noun)!;
  return columns
    .filter(({ name, type }) => given[name] !== undefined && !OF_ITSELF.has(name) && said(type, given[name]) !== said(type, now[name]))
    .map(({ name }) => name);
}

/** A value as it is compared: a moment is the same however it is written. */
function said(type: string, value: unknown): string {
  const isMoment = type === "DATETIME" && (typeof value === "string" || typeof value === "number" || value instanceof Date);
  return JSON.stringify(isMoment ? new Date(value).getTime() : value) ?? "";
}
