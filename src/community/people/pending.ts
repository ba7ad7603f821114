import { HOUR } from "#platform/clock";
import { Refusal } from "#platform/refusal";
import type { House } from "./house.ts";

/**
 * A registration under way, sealed for the browser that made it. It holds all that is needed to begin again with
 * another address, so that who mistyped theirs into somebody else's can go on, and sees no difference.
 */
export type Pending = {
  id: string;
  email: string;
  username: string;
  name: string;
  passwordHash: string | null;
  locale: string;
  /** The invitation that they came with, where nobody registers without one: it holds for the next address, too. */
  invitation?: string | undefined;
  /** What a program knows of them besides. */
  properties?: Record<string, unknown> | undefined;
  /** When the mail was written, for the minute until the next; null for who comes back later. */
  writtenAt: number | null;
};

export const PENDING_LASTS = 48 * HOUR;

export const sealPending = (house: House, pending: Pending) => house.sealer.seal("pending", pending, house.now());

/** Throws `gone` for what is too old or not ours. */
export function readPending(house: House, sealed: string): Pending {
  const pending = house.sealer.unseal<Pending>("pending", sealed, house.now(), PENDING_LASTS);
  if (!pending) throw new Refusal("gone", "That registration is no longer open. Please register again.");
  return pending;
}
