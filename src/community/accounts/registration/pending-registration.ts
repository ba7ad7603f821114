import { HOUR } from "#platform/clock";
import { Refusal } from "#platform/refusal";
import type { AccountsContext } from "../accounts-context.ts";

/**
 * A pending registration, sealed for the browser that made it. It has all data needed to register again with
 * another address, so that a person who typed someone else's address by mistake can continue and sees no
 * difference.
 */
export type PendingRegistration = {
  id: string;
  email: string;
  username: string;
  name: string;
  passwordHash: string | null;
  locale: string;
  /** The invitation, where registration needs one. It is valid for the corrected address too. */
  invitation?: string | undefined;
  /** True if the required proof of work was missing: the account waits for approval once it is confirmed. */
  needsApproval?: boolean | undefined;
  /** Custom properties that an API client stores for the person. */
  properties?: Record<string, unknown> | undefined;
  /**
   * Time at which the email was sent: the next one can be sent a minute later. Null if none was sent, for
   * instance when a person returns later.
   */
  writtenAt: number | null;
};

export const PENDING_LIFETIME = 48 * HOUR;

export const sealPendingRegistration = (
  app: Pick<AccountsContext, "now" | "sealer">,
  pending: PendingRegistration,
) => app.sealer.seal("pending", pending, app.now());

/**
 * Reads a sealed pending registration.
 * @throws `gone` when it is too old or was not sealed by this server
 */
export function readPendingRegistration(
  app: Pick<AccountsContext, "now" | "sealer">,
  sealed: string,
): PendingRegistration {
  const pending = app.sealer.unseal<PendingRegistration>("pending", sealed, app.now(), PENDING_LIFETIME);
  if (!pending) throw new Refusal("gone", "This registration has expired. Register again.");
  return pending;
}

/** Whether a sealed pending registration waits for approval once it is confirmed. */
export const isApprovalNeeded = (app: Pick<AccountsContext, "now" | "sealer">, sealed: string): boolean =>
  app.sealer.unseal<PendingRegistration>("pending", sealed, app.now(), PENDING_LIFETIME)?.needsApproval ??
  false;
