import type { SignedIn } from "#community/rules";
import { clientInfo, type createAccountsContext, PASSWORD } from "./accounts-context.ts";
import { createAuthenticator, type WrongResponse } from "./authenticator.ts";
import {
  beginPasskeyCreation,
  addPasskey,
  signInWithPasskey,
  beginPasskeySignIn,
} from "../../../src/community/accounts/index.ts";

/** Error for every passkey that is not accepted. */
export const PASSKEY_REFUSED = { reason: "invalid", message: "This passkey does not work here." };

export function createPasskeySetup(app: ReturnType<typeof createAccountsContext>) {
  const beginPasskey = (who: SignedIn, proof = PASSWORD) => beginPasskeyCreation(app, who, { proof }, null);

  /** Creates a person with a passkey on a phone. */
  async function addPasskeyOwner(username = "ana") {
    const who = await app.member({ username });
    const phone = createAuthenticator("https://kith.test");
    const { id } = await addPasskey(app, who, {
      name: "This phone",
      credential: phone.make(await beginPasskey(who)),
    });
    return { who, phone, id };
  }

  const attemptPasskeySignIn = async (
    phone: ReturnType<typeof createAuthenticator>,
    wrong: WrongResponse = {},
  ) =>
    signInWithPasskey(
      app,
      phone.sign(await beginPasskeySignIn(app, clientInfo()), wrong),
      clientInfo(),
      "web",
    );

  return { beginPasskey, addPasskeyOwner, attemptPasskeySignIn };
}
