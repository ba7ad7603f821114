import { estimateJsonLength } from "#baas/data";
import { msg } from "#platform/messages";
import { Refusal } from "#platform/refusal";

/** Approximate characters per packet. */
const MAX_CHARACTERS = 32_000;
/** The same for a packet naming relation parents: a thousand of the longest ids. */
const MAX_WITH_PARENTS = 300_000;

/**
 * Packet size in shares of the budget; a large packet counts as several.
 * @throws `too-large`
 */
export function countPacketShares(raw: unknown): number {
  const size = estimateJsonLength(raw, MAX_WITH_PARENTS);
  const most = namesParents(raw) ? MAX_WITH_PARENTS : MAX_CHARACTERS;
  if (size > most)
    throw new Refusal("too-large", msg("A packet can have at most {most} characters.", { most }));
  return Math.ceil(size / MAX_CHARACTERS);
}

const namesParents = (raw: unknown): boolean =>
  typeof raw === "object" && raw !== null && "name" in raw && raw.name === "RELATIONS_CHANGES";
