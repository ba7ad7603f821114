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

/** The right key, but the account is not open: it waits, or it is shut for a while. Only who proved to be the owner is told. */
export class SignInRefusal extends Refusal {
  readonly state: "unverified" | "pending_approval" | "suspended";
  /** Of who waits: what `resendConfirmation` and `sayWhy` want. */
  readonly pending: string | null;
  readonly because: string | null;
  readonly until: Date | null;
  /** Of who is suspended: the secret that leads to how their account stands. */
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

export const unverified = (pending: string) =>
  new SignInRefusal("unverified", "Please confirm your mail address first: we have written to you.", { pending });

export const awaitingApproval = (pending: string) =>
  new SignInRefusal("pending_approval", "A human will look at your registration soon. We write to you when it is done.", { pending });

export function suspended(because: string | null, until: Date | null, standing: string) {
  const end = until ? `until ${until.toISOString().slice(0, 10)}` : "for now";
  return new SignInRefusal("suspended", `This account is suspended ${end}${because ? `: ${because}` : "."}`, {
    because,
    until,
    standing,
  });
}

/** One link of a mail works once; all that is wrong with it is said in the same words. */
export const spentLink = () => new Refusal("gone", "This link has been used, replaced or is too old. You can ask for a new one.");
