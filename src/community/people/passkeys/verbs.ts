import type { SignedIn } from "#community/rules";
import type { Door, From, StartedSession } from "../door.ts";
import type { OfHouse } from "../house.ts";
import type { Proof } from "../proof.ts";
import { askForPasskey, waivePasskey } from "../steps.ts";
import { beginPasskeySignIn, beginPasskeyStep, finishWithPasskey, signInWithPasskey } from "./enter.ts";
import { addPasskey, beginPasskey, type Passkey, passkeysOf, removePasskey, renamePasskey } from "./keep.ts";
import { partyOf } from "./party.ts";

/** Options for the browser as WebAuthn JSON. */
type ToMake = Awaited<ReturnType<typeof beginPasskey>>;
type ToSign = Awaited<ReturnType<typeof beginPasskeySignIn>>;

export type PasskeyVerbs = {
  /**
   * Returns whether browsers create passkeys for this site: its address has a host name and https. Otherwise
   * every passkey command throws `unavailable`.
   */
  takesPasskeys: () => boolean;
  passkeysOf: (viewer: SignedIn) => Promise<Passkey[]>;
  /**
   * Options to create a passkey, valid for five minutes.
   * @throws `invalid` on `proof` without the password or a code, `not-allowed` for a person with neither
   * whose session is not recent, `conflict` for the eleventh
   */
  beginPasskey: (viewer: SignedIn, input: { proof: string }, sessionId: string | null) => Promise<ToMake>;
  /**
   * Adds a passkey; `credential` is the browser's response as JSON.
   * @throws `gone` when it took too long, `invalid` for another site's passkey, `conflict`
   */
  addPasskey: (viewer: SignedIn, input: { name: string; credential: string }) => Promise<{ id: string }>;
  /** @throws `not-found` when it is not the viewer's, `invalid` on `name` */
  renamePasskey: (viewer: SignedIn, id: string, name: string) => Promise<void>;
  /** @throws `conflict` for the last one while it is the only second factor */
  removePasskey: (viewer: SignedIn, id: string) => Promise<void>;
  beginPasskeySignIn: (from: From) => Promise<ToSign>;
  /**
   * Signs in with both factors at once.
   * @throws `invalid` for every mismatch, `gone` when it took too long, `SignInRefusal` as in `signIn`
   */
  signInWithPasskey: (credential: string, from: From, door: Door) => Promise<StartedSession>;
  /** @throws `gone` after ten minutes, `conflict` without a passkey */
  beginPasskeyStep: (halfToken: string, from: From) => Promise<ToSign>;
  /**
   * Finishes the sign-in with a passkey instead of a code.
   * @throws `invalid`, also for another person's passkey, `gone` as with codes
   */
  finishWithPasskey: (halfToken: string, credential: string, from: From, door: Door) => Promise<StartedSession>;

  /**
   * Requires a passkey after the password from now on. Returns ten recovery codes, shown once; null if an app
   * has created some already.
   * @throws `invalid` on `proof`, as in `beginTotp`, `conflict` without a passkey
   */
  askForPasskey: (viewer: SignedIn, proof: Proof) => Promise<{ recoveryCodes: string[] | null }>;
  /**
   * @throws `invalid` on `proof`, `not-allowed` for staff without another second factor where one is required
   */
  waivePasskey: (viewer: SignedIn, proof: string) => Promise<void>;
};

export const passkeyVerbs = (of: OfHouse): PasskeyVerbs => ({
  takesPasskeys: of((house) => partyOf(house.origin()) !== null),
  passkeysOf: of(passkeysOf),
  beginPasskey: of(beginPasskey),
  addPasskey: of(addPasskey),
  renamePasskey: of(renamePasskey),
  removePasskey: of(removePasskey),
  beginPasskeySignIn: of(beginPasskeySignIn),
  signInWithPasskey: of(signInWithPasskey),
  beginPasskeyStep: of(beginPasskeyStep),
  finishWithPasskey: of(finishWithPasskey),
  askForPasskey: of(askForPasskey),
  waivePasskey: of(waivePasskey),
});
