import { maybeOne, many, one, run, sql, type Tx } from "#platform/database";
import { isId } from "#platform/ids";
import { invalid, notFound, Refusal } from "#platform/refusal";
import type { SignedIn } from "#community/rules";
import { ALLOWANCES } from "../allowances.ts";
import { PasskeyName } from "../forms.ts";
import type { House } from "../house.ts";
import { withProof } from "../proof.ts";
import { links, write } from "../write.ts";
import { challengeIn, doesNotFit, readMade } from "./answers.ts";
import { issueChallenge, partyHere, takeChallenge } from "./challenges.ts";
import { partyOf } from "./party.ts";
import { mindStep } from "../steps.ts";

/** A phone, a laptop, a security key, and some spare. */
const MOST = 10;

/** A passkey as its owner sees it. `here`: it was made for the current address of the site. */
export type Passkey = { id: string; name: string; addedAt: Date; usedAt: Date | null; here: boolean; party: string };

export const passkeysOf = (house: House, viewer: SignedIn): Promise<Passkey[]> =>
  many(
    house.database.db,
    sql<Passkey>`
    select id, name, added_at as "addedAt", used_at as "usedAt", party, party = ${partyOf(house.origin())?.id ?? ""} as here
    from passkeys where person_id = ${viewer.id} order by added_at, id`,
  );

const idsOf = async (house: House, personId: string) => {
  const rows = await many(
    house.database.db,
    sql<{ id: Buffer; transports: string[] }>`select credential_id as id, transports from passkeys where person_id = ${personId}`,
  );
  return rows.map(({ id, transports }) => ({ id: id.toString("base64url"), transports }));
};

export async function beginPasskey(house: House, viewer: SignedIn, { proof }: { proof: string }, sessionId: string | null) {
  const party = partyHere(house);
  await house.limits.take("passkey-own", ALLOWANCES.passkeyOwn, viewer.id);
  await withProof(house, viewer, { proof, sessionId }, async () => {});
  const { username, name } = await one(
    house.database.db,
    sql<{ username: string; name: string }>`select username, display_name as name from people where id = ${viewer.id}`,
  );
  const known = await idsOf(house, viewer.id);
  if (known.length >= MOST) throw tooManyKept();
  // Thirty megabytes that most processes never need: loaded when the first passkey is used.
  const { generateRegistrationOptions } = await import("@simplewebauthn/server");
  return generateRegistrationOptions({
    rpName: (await house.settings.get()).name,
    rpID: party.id,
    userName: username,
    userDisplayName: name,
    userID: handleOf(viewer.id),
    challenge: Buffer.from(await issueChallenge(house, "add", viewer.id), "base64url"),
    attestationType: "none",
    excludeCredentials: known,
    supportedAlgorithmIDs: KINDS,
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
}

/**
 * Ed25519, P-256 and RSA. The library's default includes algorithms that Node supports only experimentally: a
 * passkey must last for years.
 */
const KINDS = [-8, -7, -257];

/** The user handle: opaque bytes by which an authenticator knows its person. */
export const handleOf = (personId: string) => new Uint8Array(Buffer.from(personId.replaceAll("-", ""), "hex"));

const tooManyKept = () => new Refusal("conflict", "These are ten passkeys. Please remove one first.");

export async function addPasskey(house: House, viewer: SignedIn, given: { name: string; credential: string }): Promise<{ id: string }> {
  const name = nameFrom(given.name);
  const made = readMade(given.credential);
  const party = partyHere(house);
  const challenge = challengeIn(made.response.clientDataJSON);
  await takeChallenge(house.database.db, house.now(), challenge, "add", viewer.id);
  const { verifyRegistrationResponse } = await import("@simplewebauthn/server");
  const checked = await verifyRegistrationResponse({
    response: made,
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    supportedAlgorithmIDs: KINDS,
    requireUserVerification: true,
  }).catch(() => null);
  if (!checked?.verified) throw doesNotFit();
  const { credential } = checked.registrationInfo;
  return house.inTransaction(async (tx) => {
    await assertRoom(tx, viewer.id);
    const id = tx.newId();
    const written = await run(
      tx,
      sql`
      insert into passkeys (id, person_id, credential_id, name, public_key, counter, party, transports, added_at)
      values (${id}, ${viewer.id}, ${Buffer.from(credential.id, "base64url")}, ${name}, ${Buffer.from(credential.publicKey)},
              ${credential.counter}, ${party.id}, ${made.response.transports ?? []}, ${tx.now})
      on conflict (credential_id) do nothing`,
    );
    if (written === 0) throw new Refusal("conflict", "That passkey is known here already.");
    await write(tx, "passkeyAdded", viewer.id, { device: name, link: links.passkeys(house, viewer.id) });
    return { id };
  });
}

/** The lock makes the second of two concurrent additions count the first. */
async function assertRoom(tx: Tx, personId: string): Promise<void> {
  await run(tx, sql`select from people where id = ${personId} for update`);
  const { n } = await one(tx, sql<{ n: number }>`select count(*)::int as n from passkeys where person_id = ${personId}`);
  if (n >= MOST) throw tooManyKept();
}

function nameFrom(given: string): string {
  const name = PasskeyName.safeParse(given);
  if (!name.success) throw invalid("name", name.error.issues[0]!.message);
  return name.data;
}

export async function renamePasskey(house: House, viewer: SignedIn, id: string, given: string): Promise<void> {
  const name = nameFrom(given);
  const renamed =
    isId(id) && (await run(house.database.db, sql`update passkeys set name = ${name} where id = ${id} and person_id = ${viewer.id}`));
  if (!renamed) throw notFound();
}

export const removePasskey = (house: House, viewer: SignedIn, id: string): Promise<void> =>
  house.inTransaction(async (tx) => {
    if (isId(id) && (await maybeOne(tx, sql`select from passkeys where id = ${id} and person_id = ${viewer.id}`)))
      await mindStep(tx, viewer.id);
    const removed =
      isId(id) &&
      (await maybeOne(tx, sql<{ name: string }>`delete from passkeys where id = ${id} and person_id = ${viewer.id} returning name`));
    if (!removed) throw notFound();
    await write(tx, "passkeyRemoved", viewer.id, { device: removed.name, link: links.passkeys(house, viewer.id) });
  });
