import type { SignedIn } from "#community/rules";
import type { SessionKind, ClientInfo, StartedSession } from "../types.ts";
import type { BoundCommand } from "../accounts-context.ts";
import { finishTwoFactor } from "./two-factor-challenge.ts";
import { beginTotpSetup, confirmTotpSetup, replaceRecoveryCodes } from "./totp.ts";
import type { IdentityProof } from "./identity-proof.ts";
import { disableTotp } from "./two-factor-methods.ts";

export type TwoFactorCommands = {
  /**
   * Completes the sign-in with an app code or a recovery code.
   * @throws `invalid` on `code`, `gone` after five attempts or ten minutes
   */
  finishTwoFactor: (
    challengeToken: string,
    code: string,
    from: ClientInfo,
    sessionKind: SessionKind,
  ) => Promise<StartedSession>;
  /**
   * Begins the setup of two-factor by app.
   * @throws `invalid` on `proof` without the password or a code, `not-allowed` for a person with neither
   * whose session is not recent
   */
  beginTotp: (viewer: SignedIn, proof: IdentityProof) => Promise<{ secret: string; uri: string; qr: string }>;
  /**
   * Enables two-factor by app and returns ten recovery codes, shown only once.
   * @throws `invalid` on `code`
   */
  confirmTotp: (viewer: SignedIn, code: string) => Promise<{ recoveryCodes: string[] }>;
  /**
   * Disables two-factor by app. `proof` is the password, an app code or a recovery code.
   * @throws `invalid` on `proof`, `not-allowed` for staff where two-factor is required and no passkey is
   */
  disableTotp: (viewer: SignedIn, proof: string) => Promise<void>;
  newRecoveryCodes: (viewer: SignedIn, proof: string) => Promise<{ recoveryCodes: string[] }>;
};

export const createTwoFactorCommands = (of: BoundCommand): TwoFactorCommands => ({
  finishTwoFactor: of(finishTwoFactor),
  beginTotp: of(beginTotpSetup),
  confirmTotp: of(confirmTotpSetup),
  disableTotp: of(disableTotp),
  newRecoveryCodes: of(replaceRecoveryCodes),
});
