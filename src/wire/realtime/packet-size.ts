import { sizeOf } from "#backend/tables";
import { Refusal } from "#platform/refusal";

/** Approximate characters per packet. */
const LARGEST = 32_000;
/** The same for a packet naming relation parents: a thousand of the longest ids. */
const LARGEST_OF_PARENTS = 300_000;

/**
 * Packet size in shares of the budget; a large packet counts as several.
 * @throws `too-large`
 */
export function sharesOf(raw: unknown): number {
  const size = sizeOf(raw, LARGEST_OF_PARENTS);
  const most = isOfParents(raw) ? LARGEST_OF_PARENTS : LARGEST;
  if (size > most) throw new Refusal("too-large", `What one packet says can have ${most} characters.`);
  return Math.ceil(size / LARGEST);
}

const isOfParents = (raw: unknown): boolean => typeof raw === "object" && raw !== null && "name" in raw && raw.name === "RELATIONS_CHANGES";
