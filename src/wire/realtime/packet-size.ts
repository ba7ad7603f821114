import { sizeOf } from "#backend/tables";
import { Refusal } from "#platform/refusal";

/** Characters of what one packet says, about. What is said here is short. */
const LARGEST = 32_000;
/** The same where it names parents of a relation: a thousand of them, with the longest ids that there are. */
const LARGEST_OF_PARENTS = 300_000;

/** How much a packet says, in shares of what one may: a larger one counts as several. Throws `too-large`. */
export function sharesOf(raw: unknown): number {
  const size = sizeOf(raw, LARGEST_OF_PARENTS);
  const most = isOfParents(raw) ? LARGEST_OF_PARENTS : LARGEST;
  if (size > most) throw new Refusal("too-large", `What one packet says can have ${most} characters.`);
  return Math.ceil(size / LARGEST);
}

const isOfParents = (raw: unknown): boolean => typeof raw === "object" && raw !== null && "name" in raw && raw.name === "RELATIONS_CHANGES";
