import { estimateJsonLength } from "#baas/data";
import { msg } from "#platform/messages";
import { Refusal } from "#platform/refusal";

/** Approximate maximum characters of a packet. */
const MAX_CHARACTERS = 32_000;
/** Maximum characters of a packet that lists relation parents, enough for a thousand of the longest ids. */
const MAX_WITH_PARENTS = 300_000;

/**
 * Returns how many packets of the caller's budget a packet costs; a large one costs several.
 * @throws `too-large`
 */
export function countPacketCost(raw: unknown): number {
  const size = estimateJsonLength(raw, MAX_WITH_PARENTS);
  const most = namesParents(raw) ? MAX_WITH_PARENTS : MAX_CHARACTERS;
  if (size > most)
    throw new Refusal("too-large", msg("A packet can have at most {most} characters.", { most }));
  return Math.ceil(size / MAX_CHARACTERS);
}

const namesParents = (raw: unknown): boolean =>
  typeof raw === "object" && raw !== null && "name" in raw && raw.name === "RELATIONS_CHANGES";
