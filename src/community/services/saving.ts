import { Refusal } from "#platform/refusal";
import { PUBLISHED, type Row, rowFor } from "#community/published";
import { type Given } from "./acts/act.ts";
import { ACTS } from "./acts/index.ts";
import type { Hand } from "./service.ts";

/** Why API clients cannot create, update or remove records of an entity; null if they can. */
export const whyNot = (noun: string, act: "create" | "update" | "remove"): string | null => {
  const found = ACTS[noun]![act];
  return typeof found === "string" ? found : null;
};

const refused = (sentence: string) => new Refusal("not-allowed", sentence);

/**
 * Creates a record with the same command as pages; returns its objectId.
 * @throws the command's refusals; `not-allowed` without a command
 */
export async function createRecord(hand: Hand, noun: string, given: Given): Promise<string> {
  const { create } = ACTS[noun]!;
  if (typeof create === "string") throw refused(create);
  return create(hand, given);
}

/**
 * Updates a record with the commands of its changed columns. API clients send whole records, so unchanged
 * values are ignored.
 * @throws `not-found`, the commands' refusals; `not-allowed` for a column without a command
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

/**
 * Removes a record with the same command as pages.
 * @throws `not-found`, the command's refusals; `not-allowed` without a command
 */
export async function removeRecord(hand: Hand, noun: string, objectId: string): Promise<void> {
  const { remove } = ACTS[noun]!;
  const now = await rowFor(hand.tx, hand.viewer, noun, objectId);
  if (typeof remove === "string") throw refused(remove);
  await remove(hand, now);
}

/** Columns set by the system. */
const OF_ITSELF = new Set(["objectId", "ownerId", "created", "updated"]);

function changedIn(noun: string, now: Row, given: Given): string[] {
  const { columns } = PUBLISHED.find(({ name }) => name === noun)!;
  return columns
    .filter(({ name, type }) => given[name] !== undefined && !OF_ITSELF.has(name) && said(type, given[name]) !== said(type, now[name]))
    .map(({ name }) => name);
}

/** A comparable value: equal times in different notations are equal. */
function said(type: string, value: unknown): string {
  const isMoment = type === "DATETIME" && (typeof value === "string" || typeof value === "number" || value instanceof Date);
  return JSON.stringify(isMoment ? new Date(value).getTime() : value) ?? "";
}
