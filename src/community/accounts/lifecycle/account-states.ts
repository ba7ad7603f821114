import { type Message, msg } from "#platform/messages";
import { Refusal } from "#platform/refusal";

export type AccountState =
  | "unverified"
  | "pending_approval"
  | "active"
  | "limited"
  | "suspended"
  | "deactivated"
  | "erased"
  | "ghost"
  | "guest"
  | "bot";

/**
 * Refusal when the credentials are right but the account is not open: it is pending or suspended. Only a
 * person with the right credentials learns this.
 */
export class SignInRefusal extends Refusal {
  readonly state: "unverified" | "pending_approval" | "suspended";
  /** Input of `resendConfirmation` and `saveJoinReason` for a pending account; null otherwise. */
  readonly pending: string | null;
  readonly because: string | null;
  readonly until: Date | null;
  /** Token for the account status page of a suspended account; null otherwise. */
  readonly standing: string | null;
  constructor(
    state: SignInRefusal["state"],
    message: Message,
    details: {
      pending?: string | null;
      because?: string | null;
      until?: Date | null;
      standing?: string;
    } = {},
  ) {
    super("not-allowed", message, {
      kind: state === "unverified" ? "unconfirmed-email" : "account-disabled",
    });
    this.state = state;
    this.pending = details.pending ?? null;
    this.because = details.because ?? null;
    this.until = details.until ?? null;
    this.standing = details.standing ?? null;
  }
}

export const unverifiedRefusal = (pending: string) =>
  new SignInRefusal("unverified", "Confirm your email address first: we have sent you an email.", {
    pending,
  });

export const pendingApprovalRefusal = (pending: string) =>
  new SignInRefusal("pending_approval", "Your registration waits for approval. We will email you.", {
    pending,
  });

function suspendedMessage(because: string | null, until: Date | null) {
  const end = until?.toISOString().slice(0, 10);
  if (end)
    return because
      ? msg("This account is suspended until {end}: {because}", { end, because })
      : msg("This account is suspended until {end}.", { end });
  return because
    ? msg("This account is suspended for now: {because}", { because })
    : msg("This account is suspended for now.");
}

export function suspendedRefusal(because: string | null, until: Date | null, standing: string) {
  return new SignInRefusal("suspended", suspendedMessage(because, until), {
    because,
    until,
    standing,
  });
}

/** An emailed link works once; every problem with it gets the same message. */
export const usedLinkRefusal = () =>
  new Refusal("gone", "This link was used, replaced or has expired. Request a new one.");
