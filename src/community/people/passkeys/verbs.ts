import type { SignedIn } from "#community/rules";
import type { Door, From, StartedSession } from "../door.ts";
import type { OfHouse } from "../house.ts";
import type { Proof } from "../proof.ts";
import { askForPasskey, waivePasskey } from "../steps.ts";
import { beginPasskeySignIn, beginPasskeyStep, finishWithPasskey, signInWithPasskey } from "./enter.ts";
import { addPasskey, beginPasskey, type Passkey, passkeysOf, removePasskey, renamePasskey } from "./keep.ts";
import { partyOf } from "./party.ts";

/** What a browser is handed, as WebAuthn writes it in JSON. */
type ToMake = Awaited<ReturnType<typeof beginPasskey>>;
type ToSign = Awaited<ReturnType<typeof beginPasskeySignIn>>;

/** What accounts have of passkeys. */
export type PasskeyVerbs = {
  /** Whether browsers make passkeys for this house: its address has a name, and https. Every verb of theirs is `unavailable` otherwise. */
  takesPasskeys: () => boolean;
  passkeysOf: (viewer: SignedIn) => Promise<Passkey[]>;
  /**
   * What a browser is to make a passkey of, within five minutes. `invalid` on `proof` without the password or a code; whoever has
   * neither must have come in a moment ago (`not-allowed`). `conflict` for the eleventh.
   */
  beginPasskey: (viewer: SignedIn, input: { proof: string }, sessionId: string | null) => Promise<ToMake>;
  /** `credential` is the browser's answer as JSON. `gone` when it took too long; `invalid` for what was made for another house; `conflict`. */
  addPasskey: (viewer: SignedIn, input: { name: string; credential: string }) => Promise<{ id: string }>;
  /** `not-found` when it is not the viewer's; `invalid` on `name`. */
  renamePasskey: (viewer: SignedIn, id: string, name: string) => Promise<void>;
  /** `conflict` for the last one while it is the only second step. */
  removePasskey: (viewer: SignedIn, id: string) => Promise<void>;
  beginPasskeySignIn: (from: From) => Promise<ToSign>;
  /** Both steps at once. `invalid` for everything that does not fit, `gone` when it took too long; `SignInRefusal` as in `signIn`. */
  signInWithPasskey: (credential: string, from: From, door: Door) => Promise<StartedSession>;
  /** `gone` after ten minutes; `conflict` for whoever has none. */
  beginPasskeyStep: (halfToken: string, from: From) => Promise<ToSign>;
  /** In the place of a code. `invalid` for somebody else's, too; `gone` as with codes. */
  finishWithPasskey: (halfToken: string, credential: string, from: From, door: Door) => Promise<StartedSession>;

  /**
   * From now on a passkey is asked for after the password. Gives ten recovery codes, shown this once; null where an app has brought
   * some already. `invalid` on `proof`, as in `beginTotp`; `conflict` for whoever has no passkey here.
   */
  askForPasskey: (viewer: SignedIn, proof: Proof) => Promise<{ recoveryCodes: string[] | null }>;
  /** `invalid` on `proof`; `not-allowed` for staff who have no other second step where one is required. */
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
