import { maybeOne, run, sql, type Tx } from "#platform/database";
import { hashOf } from "#platform/ids";
import { Refusal } from "#platform/refusal";
import { ALLOWANCES, placeOf } from "../allowances.ts";
import type { Door, From, StartedSession } from "../door.ts";
import { goIn, type Owner, ownerColumns, refuseByState } from "../enter.ts";
import type { House } from "../house.ts";
import { takeTry } from "../second-step.ts";
import { challengeIn, doesNotFit, readSigned } from "./answers.ts";
import { issueChallenge, partyHere, type Purpose, takeChallenge } from "./challenges.ts";
import { handleOf } from "./keep.ts";
import type { Party } from "./party.ts";

/** Challenge for a sign-in. The person is not known yet: the authenticator offers its passkeys. */
export async function beginPasskeySignIn(house: House, from: From) {
  const party = partyHere(house);
  await house.limits.take("passkey", ALLOWANCES.passkey, placeOf(from.address));
  return asking(party, await issueChallenge(house, "enter", null), []);
}

export async function signInWithPasskey(house: House, given: string, from: From, door: Door): Promise<StartedSession> {
  const shown = await lookAt(house, given, "enter", null);
  refuseByState(house, shown.owner);
  return house.inTransaction(async (tx) => {
    await noteUse(tx, shown);
    return goIn(house, tx, shown.owner.id, { stay: true, from, door });
  });
}

/** Challenge for the second factor: only passkeys of the person who gave the password. */
export async function beginPasskeyStep(house: House, halfToken: string, from: From) {
  const party = partyHere(house);
  await house.limits.take("passkey", ALLOWANCES.passkey, placeOf(from.address));
  const half = await maybeOne(
    house.database.db,
    sql<{ personId: string; known: { id: string; transports: string[] }[] }>`
    select h.person_id as "personId", coalesce(json_agg(json_build_object('id', encode(k.credential_id, 'base64'), 'transports', k.transports))
      filter (where k.id is not null), '[]') as known
    from half_sign_ins h left join passkeys k on k.person_id = h.person_id and k.party = ${party.id}
    where h.token_hash = ${hashOf(halfToken)} and h.expires_at > ${house.now()} group by h.person_id`,
  );
  if (!half) throw tooLate();
  const known = half.known.map((it) => ({ ...it, id: Buffer.from(it.id, "base64").toString("base64url") }));
  if (known.length === 0) throw new Refusal("conflict", "You have no passkey for this address.");
  return asking(party, await issueChallenge(house, "second_step", half.personId), known);
}

export async function finishWithPasskey(house: House, halfToken: string, given: string, from: From, door: Door): Promise<StartedSession> {
  const half = await takeTry(house, halfToken);
  const shown = await lookAt(house, given, "second_step", half.personId);
  return house.inTransaction(async (tx) => {
    await noteUse(tx, shown);
    const ours = await run(tx, sql`delete from half_sign_ins where token_hash = ${hashOf(halfToken)}`);
    if (ours !== 1) throw tooLate();
    return goIn(house, tx, half.personId, { stay: half.stay, from, door });
  });
}

const tooLate = () => new Refusal("gone", "That took too long, or there were too many tries. Please sign in once more.");

async function asking(party: Party, challenge: string, allowCredentials: { id: string; transports: string[] }[]) {
  const { generateAuthenticationOptions } = await import("@simplewebauthn/server");
  return generateAuthenticationOptions({
    rpID: party.id,
    challenge: Buffer.from(challenge, "base64url"),
    allowCredentials,
    // User verification by fingerprint, face or PIN makes the passkey count as both factors.
    userVerification: "required",
  });
}

type Kept = { passkeyId: string; publicKey: Buffer; counter: string };
type Shown = { passkeyId: string; counter: number; owner: Owner };

/**
 * The owner of the passkey that signed the challenge.
 * @throws `invalid` for every mismatch, `gone` for an expired challenge
 */
async function lookAt(house: House, given: string, purpose: Purpose, personId: string | null): Promise<Shown> {
  const party = partyHere(house);
  const signed = readSigned(given);
  const challenge = challengeIn(signed.response.clientDataJSON);
  await takeChallenge(house.database.db, house.now(), challenge, purpose, personId);
  const kept = await maybeOne(
    house.database.db,
    sql<Owner & Kept>`
    select ${ownerColumns}, k.id as "passkeyId", k.public_key as "publicKey", k.counter
    from passkeys k join people on people.id = k.person_id
    where k.credential_id = ${Buffer.from(signed.id, "base64url")} and k.party = ${party.id}
      and people.state not in ('erased', 'ghost', 'guest') and people.id = coalesce(${personId}::uuid, people.id)`,
  );
  if (!kept || !isOf(signed.response.userHandle, kept.id, personId)) throw doesNotFit();
  const { verifyAuthenticationResponse } = await import("@simplewebauthn/server");
  const checked = await verifyAuthenticationResponse({
    response: signed,
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    credential: { id: signed.id, publicKey: new Uint8Array(kept.publicKey), counter: Number(kept.counter) },
    requireUserVerification: true,
  }).catch(() => null);
  if (!checked?.verified) throw doesNotFit();
  return { passkeyId: kept.passkeyId, counter: checked.authenticationInfo.newCounter, owner: kept };
}

/** An authenticator names its user; one that was asked for a specific passkey may leave that out. */
const isOf = (handle: string | undefined, ownerId: string, askedFor: string | null) =>
  handle ? Buffer.from(handle, "base64url").equals(handleOf(ownerId)) : askedFor !== null;

/** The counter is compared in the update: of a passkey and its clone used at once, one signs in. */
async function noteUse(tx: Tx, { passkeyId, counter }: Shown): Promise<void> {
  const noted = await run(
    tx,
    sql`update passkeys set counter = ${counter}, used_at = ${tx.now}
        where id = ${passkeyId} and (counter < ${counter} or (counter = 0 and ${counter} = 0))`,
  );
  if (noted !== 1) throw doesNotFit();
}
