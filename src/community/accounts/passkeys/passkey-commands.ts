import type { SignedIn } from "#community/rules";
import type { SessionKind, ClientInfo, StartedSession } from "../types.ts";
import type { BoundCommand } from "../accounts-context.ts";
import type { IdentityProof } from "../two-factor/identity-proof.ts";
import { requirePasskey, waivePasskey } from "../two-factor/two-factor-methods.ts";
import {
  beginPasskeySignIn,
  beginPasskeyTwoFactor,
  finishPasskeyTwoFactor,
  signInWithPasskey,
} from "./passkey-sign-in.ts";
import {
  addPasskey,
  beginPasskeyCreation,
  type Passkey,
  listPasskeys,
  removePasskey,
  renamePasskey,
} from "./manage-passkeys.ts";
import { findRelyingParty } from "./relying-party.ts";

/** Options for the browser as WebAuthn JSON. */
type CreationOptions = Awaited<ReturnType<typeof beginPasskeyCreation>>;
type SignInOptions = Awaited<ReturnType<typeof beginPasskeySignIn>>;

export type PasskeyCommands = {
  /**
   * Returns whether browsers create passkeys for this site: its address has a host name and https. Otherwise
   * every passkey command throws `unavailable`.
   */
  supportsPasskeys: () => boolean;
  listPasskeys: (viewer: SignedIn) => Promise<Passkey[]>;
  /**
   * Options to create a passkey, valid for five minutes.
   * @throws `invalid` on `proof` without the password or a code, `not-allowed` for a person with neither
   * whose session is not recent, `conflict` for the eleventh
   */
  beginPasskey: (
    viewer: SignedIn,
    input: { proof: string },
    sessionId: string | null,
  ) => Promise<CreationOptions>;
  /**
   * Adds a passkey; `credential` is the browser's response as JSON.
   * @throws `gone` when it took too long, `invalid` for another site's passkey, `conflict`
   */
  addPasskey: (viewer: SignedIn, input: { name: string; credential: string }) => Promise<{ id: string }>;
  /** @throws `not-found` when it is not the viewer's, `invalid` on `name` */
  renamePasskey: (viewer: SignedIn, id: string, name: string) => Promise<void>;
  /** @throws `conflict` for the last one while it is the only second factor */
  removePasskey: (viewer: SignedIn, id: string) => Promise<void>;
  beginPasskeySignIn: (from: ClientInfo) => Promise<SignInOptions>;
  /**
   * Signs in with both factors at once.
   * @throws `invalid` for every mismatch, `gone` when it took too long, `SignInRefusal` as in `signIn`
   */
  signInWithPasskey: (
    credential: string,
    from: ClientInfo,
    sessionKind: SessionKind,
  ) => Promise<StartedSession>;
  /** @throws `gone` after ten minutes, `conflict` without a passkey */
  beginPasskeyTwoFactor: (challengeToken: string, from: ClientInfo) => Promise<SignInOptions>;
  /**
   * Finishes the sign-in with a passkey instead of a code.
   * @throws `invalid`, also for another person's passkey, `gone` as with codes
   */
  finishPasskeyTwoFactor: (
    challengeToken: string,
    credential: string,
    from: ClientInfo,
    sessionKind: SessionKind,
  ) => Promise<StartedSession>;

  /**
   * Requires a passkey after the password from now on. Returns ten recovery codes, shown once; null if an app
   * has created some already.
   * @throws `invalid` on `proof`, as in `beginTotpSetup`, `conflict` without a passkey
   */
  requirePasskey: (viewer: SignedIn, proof: IdentityProof) => Promise<{ recoveryCodes: string[] | null }>;
  /**
   * @throws `invalid` on `proof`, `not-allowed` for staff without another second factor where one is required
   */
  waivePasskey: (viewer: SignedIn, proof: string) => Promise<void>;
};

export const createPasskeyCommands = (of: BoundCommand): PasskeyCommands => ({
  supportsPasskeys: of((app) => findRelyingParty(app.origin()) !== null),
  listPasskeys: of(listPasskeys),
  beginPasskey: of(beginPasskeyCreation),
  addPasskey: of(addPasskey),
  renamePasskey: of(renamePasskey),
  removePasskey: of(removePasskey),
  beginPasskeySignIn: of(beginPasskeySignIn),
  signInWithPasskey: of(signInWithPasskey),
  beginPasskeyTwoFactor: of(beginPasskeyTwoFactor),
  finishPasskeyTwoFactor: of(finishPasskeyTwoFactor),
  requirePasskey: of(requirePasskey),
  waivePasskey: of(waivePasskey),
});
