import { maybeOne, many, one, run, sql, type Tx } from "#platform/database";
import { isId } from "#platform/ids";
import { issueMessage } from "#platform/messages";
import { invalid, notFound, Refusal } from "#platform/refusal";
import type { SignedIn } from "#community/rules";
import { ACCOUNT_LIMITS } from "../account-limits.ts";
import { PasskeyName } from "../account-forms.ts";
import { type AccountsContext, inAccountTransaction } from "../accounts-context.ts";
import { requireProof } from "../two-factor/identity-proof.ts";
import { accountMailLinks, sendAccountMail } from "../emails/send-account-mail.ts";
import { readChallenge, passkeyMismatch, readRegistration } from "./authenticator-responses.ts";
import { issueChallenge, requireRelyingParty, consumeChallenge } from "./passkey-challenges.ts";
import { findRelyingParty } from "./relying-party.ts";
import { assertMethodRemains } from "../two-factor/two-factor-methods.ts";

/**
 * Maximum number of passkeys per person: enough for a phone, a laptop, a security key and some spare ones.
 */
const MAX_PASSKEYS = 10;

/** A passkey as its owner sees it. `here` is true if it was made for the current address of the site. */
export type Passkey = {
  id: string;
  name: string;
  addedAt: Date;
  usedAt: Date | null;
  here: boolean;
  party: string;
};

export const listPasskeys = (
  app: Pick<AccountsContext, "database" | "origin">,
  viewer: SignedIn,
): Promise<Passkey[]> =>
  many(
    app.database.db,
    sql<Passkey>`
    select id, name, added_at as "addedAt", used_at as "usedAt", party,
      party = ${findRelyingParty(app.origin())?.id ?? ""} as here
    from passkeys where person_id = ${viewer.id} order by added_at, id`,
  );

const listPasskeyIds = async (app: Pick<AccountsContext, "database">, personId: string) => {
  const rows = await many(
    app.database.db,
    sql<{
      id: Buffer;
      transports: string[];
    }>`select credential_id as id, transports from passkeys where person_id = ${personId}`,
  );
  return rows.map(({ id, transports }) => ({ id: id.toString("base64url"), transports }));
};

/**
 * Options to create a passkey, valid for five minutes.
 * @throws `invalid` on `proof` without the password or a code, `not-allowed` for a person with neither
 * whose session is not recent, `conflict` for the eleventh
 */
export async function beginPasskeyCreation(
  app: Pick<AccountsContext, "database" | "limits" | "settings" | "now" | "origin" | "sealer">,
  viewer: SignedIn,
  { proof }: { proof: string },
  sessionId: string | null,
) {
  const party = requireRelyingParty(app);
  await app.limits.take("passkey-own", ACCOUNT_LIMITS.passkeyOwn, viewer.id);
  await requireProof(app, viewer, { proof, sessionId }, async () => {});
  const { username, name } = await one(
    app.database.db,
    sql<{
      username: string;
      name: string;
    }>`select username, display_name as name from people where id = ${viewer.id}`,
  );
  const known = await listPasskeyIds(app, viewer.id);
  if (known.length >= MAX_PASSKEYS) throw passkeyLimitReached();
  // The module takes 30 MB, and most processes never need it: it is loaded with the first passkey.
  const { generateRegistrationOptions } = await import("@simplewebauthn/server");
  return generateRegistrationOptions({
    rpName: (await app.settings.get()).name,
    rpID: party.id,
    userName: username,
    userDisplayName: name,
    userID: userHandle(viewer.id),
    challenge: Buffer.from(await issueChallenge(app, "add", viewer.id), "base64url"),
    attestationType: "none",
    excludeCredentials: known,
    supportedAlgorithmIDs: ALGORITHMS,
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
}

/**
 * Ed25519, P-256 and RSA. The library's default includes algorithms that Node supports only experimentally: a
 * passkey must last for years.
 */
const ALGORITHMS = [-8, -7, -257];

/** The user handle: opaque bytes by which an authenticator identifies the account of its passkey. */
export const userHandle = (personId: string) =>
  new Uint8Array(Buffer.from(personId.replaceAll("-", ""), "hex"));

const passkeyLimitReached = () =>
  new Refusal("conflict", "You can have at most 10 passkeys. Remove one first.");

/**
 * Adds a passkey; `credential` is the browser's response as JSON.
 * @throws `gone` when it took too long, `invalid` for another site's passkey, `conflict`
 */
export async function addPasskey(
  app: Pick<AccountsContext, "database" | "settings" | "now" | "origin">,
  viewer: SignedIn,
  given: { name: string; credential: string },
): Promise<{ id: string }> {
  const name = readPasskeyName(given.name);
  const registration = readRegistration(given.credential);
  const party = requireRelyingParty(app);
  const challenge = readChallenge(registration.response.clientDataJSON);
  await consumeChallenge(app.database.db, app.now(), challenge, "add", viewer.id);
  const { verifyRegistrationResponse } = await import("@simplewebauthn/server");
  const checked = await verifyRegistrationResponse({
    response: registration,
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    supportedAlgorithmIDs: ALGORITHMS,
    requireUserVerification: true,
  }).catch(() => null);
  if (!checked?.verified) throw passkeyMismatch();
  const { credential } = checked.registrationInfo;
  return inAccountTransaction(app, async (tx) => {
    await assertPasskeyLimit(tx, viewer.id);
    const id = tx.newId();
    const written = await run(
      tx,
      sql`
      insert into passkeys (id, person_id, credential_id, name, public_key, counter, party, transports,
        added_at)
      values (${id}, ${viewer.id}, ${Buffer.from(credential.id, "base64url")}, ${name},
        ${Buffer.from(credential.publicKey)},
              ${credential.counter}, ${party.id}, ${registration.response.transports ?? []}, ${tx.now})
      on conflict (credential_id) do nothing`,
    );
    if (written === 0) throw new Refusal("conflict", "This passkey is already registered.");
    await sendAccountMail(tx, "passkeyAdded", viewer.id, {
      device: name,
      link: accountMailLinks.passkeys(app, viewer.id),
    });
    return { id };
  });
}

/**
 * Asserts the limit of passkeys. A lock serializes a person's additions, so that two concurrent ones are both
 * counted.
 */
async function assertPasskeyLimit(tx: Tx, personId: string): Promise<void> {
  await run(tx, sql`select from people where id = ${personId} for update`);
  const { n } = await one(
    tx,
    sql<{ n: number }>`select count(*)::int as n from passkeys where person_id = ${personId}`,
  );
  if (n >= MAX_PASSKEYS) throw passkeyLimitReached();
}

function readPasskeyName(given: string): string {
  const name = PasskeyName.safeParse(given);
  if (!name.success) throw invalid("name", issueMessage(name.error.issues[0]!));
  return name.data;
}

/**
 * Renames one of the viewer's passkeys.
 * @throws `not-found` when it is not the viewer's, `invalid` on `name`
 */
export async function renamePasskey(
  app: Pick<AccountsContext, "database">,
  viewer: SignedIn,
  id: string,
  given: string,
): Promise<void> {
  const name = readPasskeyName(given);
  const renamed =
    isId(id) &&
    (await run(
      app.database.db,
      sql`update passkeys set name = ${name} where id = ${id} and person_id = ${viewer.id}`,
    ));
  if (!renamed) throw notFound();
}

/**
 * Removes one of the viewer's passkeys.
 * @throws `conflict` for the last passkey while passkeys are the only second factor
 */
export const removePasskey = (
  app: Pick<AccountsContext, "database" | "settings" | "origin">,
  viewer: SignedIn,
  id: string,
): Promise<void> =>
  inAccountTransaction(app, async (tx) => {
    if (
      isId(id) &&
      (await maybeOne(tx, sql`select from passkeys where id = ${id} and person_id = ${viewer.id}`))
    )
      await assertMethodRemains(tx, viewer.id);
    const removed =
      isId(id) &&
      (await maybeOne(
        tx,
        sql<{
          name: string;
        }>`delete from passkeys where id = ${id} and person_id = ${viewer.id} returning name`,
      ));
    if (!removed) throw notFound();
    await sendAccountMail(tx, "passkeyRemoved", viewer.id, {
      device: removed.name,
      link: accountMailLinks.passkeys(app, viewer.id),
    });
  });
