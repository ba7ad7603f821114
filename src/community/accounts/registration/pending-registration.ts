import { HOUR } from "#platform/clock";
import { Refusal } from "#platform/refusal";
import type { AccountsContext } from "../accounts-context.ts";

/**
 * A pending registration, sealed for the browser that made it. It has everything to start again with another
 * address, so that a person who mistyped into someone else's can continue and sees no difference.
 */
export type PendingRegistration = {
  id: string;
  email: string;
  username: string;
  name: string;
  passwordHash: string | null;
  locale: string;
  /** The invitation, where registration needs one: it also applies to the corrected address. */
  invitation?: string | undefined;
  /** Properties that an API client keeps of the person. */
  properties?: Record<string, unknown> | undefined;
  /** When the email was sent, for the minute until the next; null for people who return later. */
  writtenAt: number | null;
};

export const PENDING_LIFETIME = 48 * HOUR;

export const sealPendingRegistration = (
  app: Pick<AccountsContext, "now" | "sealer">,
  pending: PendingRegistration,
) => app.sealer.seal("pending", pending, app.now());

/** @throws `gone` when it is too old or not ours */
export function readPendingRegistration(
  app: Pick<AccountsContext, "now" | "sealer">,
  sealed: string,
): PendingRegistration {
  const pending = app.sealer.unseal<PendingRegistration>("pending", sealed, app.now(), PENDING_LIFETIME);
  if (!pending) throw new Refusal("gone", "This registration has expired. Register again.");
  return pending;
}
