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
  | "guest";

/**
 * The credentials are right but the account is not open: pending or suspended. Only its proven owner learns
 * this.
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
    sentence: string,
    details: { pending?: string | null; because?: string | null; until?: Date | null; standing?: string } = {},
  ) {
    super("not-allowed", sentence, { kind: state === "unverified" ? "unconfirmed-email" : "account-disabled" });
    this.state = state;
    this.pending = details.pending ?? null;
    this.because = details.because ?? null;
    this.until = details.until ?? null;
    this.standing = details.standing ?? null;
  }
}

export const unverifiedRefusal = (pending: string) =>
  new SignInRefusal("unverified", "Please confirm your mail address first: we have written to you.", { pending });

export const pendingApprovalRefusal = (pending: string) =>
  new SignInRefusal("pending_approval", "A human will look at your registration soon. We write to you when it is done.", { pending });

export function suspendedRefusal(because: string | null, until: Date | null, standing: string) {
  const end = until ? `until ${until.toISOString().slice(0, 10)}` : "for now";
  return new SignInRefusal("suspended", `This account is suspended ${end}${because ? `: ${because}` : "."}`, {
    because,
    until,
    standing,
  });
}

/** An emailed link works once; every problem with it gets the same message. */
export const spentLinkRefusal = () => new Refusal("gone", "This link has been used, replaced or is too old. You can ask for a new one.");
