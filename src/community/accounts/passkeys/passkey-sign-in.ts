import { clientNetwork } from "#platform/client-address";
import { maybeOne, run, sql, type Tx } from "#platform/database";
import { hashSecret } from "#platform/ids";
import { Refusal } from "#platform/refusal";
import { ACCOUNT_LIMITS } from "../account-limits.ts";
import type { SessionKind, ClientInfo, StartedSession } from "../types.ts";
import {
  completeSignIn,
  type AccountOwner,
  accountOwnerColumns,
  assertCanSignIn,
} from "../sign-in/complete-sign-in.ts";
import { type AccountsContext, inAccountTransaction } from "../accounts-context.ts";
import { countTwoFactorAttempt } from "../two-factor/two-factor-challenge.ts";
import { readChallenge, passkeyMismatch, readAuthentication } from "./authenticator-responses.ts";
import {
  issueChallenge,
  requireRelyingParty,
  type ChallengePurpose,
  consumeChallenge,
} from "./passkey-challenges.ts";
import { userHandle } from "./manage-passkeys.ts";
import type { RelyingParty } from "./relying-party.ts";

/** Creates a challenge for a sign-in. The person is not known yet: the authenticator offers its passkeys. */
export async function beginPasskeySignIn(
  app: Pick<AccountsContext, "database" | "limits" | "now" | "origin">,
  from: ClientInfo,
) {
  const party = requireRelyingParty(app);
  await app.limits.take("passkey", ACCOUNT_LIMITS.passkey, clientNetwork(from.address));
  return createSignInOptions(party, await issueChallenge(app, "enter", null), []);
}

/**
 * Signs in with both factors at once.
 * @throws `invalid` for every mismatch, `gone` when it took too long, `SignInRefusal` as in `signIn`
 */
export async function signInWithPasskey(
  app: Pick<AccountsContext, "database" | "settings" | "now" | "origin" | "sealer">,
  credential: string,
  from: ClientInfo,
  sessionKind: SessionKind,
): Promise<StartedSession> {
  const shown = await verifyPasskey(app, credential, "enter", null);
  assertCanSignIn(app, shown.owner);
  return inAccountTransaction(app, async (tx) => {
    await recordPasskeyUse(tx, shown);
    return completeSignIn(app, tx, shown.owner.id, { stay: true, from, sessionKind });
  });
}

/**
 * Creates a challenge for the second factor.
 * @throws `gone` after ten minutes, `conflict` without a passkey
 */
export async function beginPasskeyTwoFactor(
  app: Pick<AccountsContext, "database" | "limits" | "now" | "origin">,
  challengeToken: string,
  from: ClientInfo,
) {
  const party = requireRelyingParty(app);
  await app.limits.take("passkey", ACCOUNT_LIMITS.passkey, clientNetwork(from.address));
  const half = await maybeOne(
    app.database.db,
    sql<{ personId: string; known: { id: string; transports: string[] }[] }>`
    select h.person_id as "personId",
      coalesce(json_agg(json_build_object('id', encode(k.credential_id, 'base64'), 'transports',
      k.transports))
      filter (where k.id is not null), '[]') as known
    from two_factor_challenges h left join passkeys k on k.person_id = h.person_id and k.party = ${party.id}
    where h.token_hash = ${hashSecret(challengeToken)} and h.expires_at > ${app.now()} group by h.person_id`,
  );
  if (!half) throw challengeExpired();
  const known = half.known.map((it) => ({ ...it, id: Buffer.from(it.id, "base64").toString("base64url") }));
  if (known.length === 0) throw new Refusal("conflict", "You have no passkey for this site.");
  return createSignInOptions(party, await issueChallenge(app, "second_step", half.personId), known);
}

/**
 * Finishes the sign-in with a passkey instead of a code.
 * @throws `invalid`, also for another person's passkey, `gone` as with codes
 */
export async function finishPasskeyTwoFactor(
  app: Pick<AccountsContext, "database" | "settings" | "now" | "origin">,
  challengeToken: string,
  credential: string,
  from: ClientInfo,
  sessionKind: SessionKind,
): Promise<StartedSession> {
  const half = await countTwoFactorAttempt(app, challengeToken);
  const shown = await verifyPasskey(app, credential, "second_step", half.personId);
  return inAccountTransaction(app, async (tx) => {
    await recordPasskeyUse(tx, shown);
    const ours = await run(
      tx,
      sql`delete from two_factor_challenges where token_hash = ${hashSecret(challengeToken)}`,
    );
    if (ours !== 1) throw challengeExpired();
    return completeSignIn(app, tx, half.personId, { stay: half.stay, from, sessionKind });
  });
}

const challengeExpired = () =>
  new Refusal("gone", "That took too long, or there were too many attempts. Sign in again.");

async function createSignInOptions(
  party: RelyingParty,
  challenge: string,
  allowCredentials: { id: string; transports: string[] }[],
) {
  const { generateAuthenticationOptions } = await import("@simplewebauthn/server");
  return generateAuthenticationOptions({
    rpID: party.id,
    challenge: Buffer.from(challenge, "base64url"),
    allowCredentials,
    // User verification by fingerprint, face or PIN makes the passkey count as both factors.
    userVerification: "required",
  });
}

type StoredPasskey = { passkeyId: string; publicKey: Buffer; counter: string };
type VerifiedPasskey = { passkeyId: string; counter: number; owner: AccountOwner };

/**
 * The owner of the passkey that signed the challenge.
 * @throws `invalid` for every mismatch, `gone` for an expired challenge
 */
async function verifyPasskey(
  app: Pick<AccountsContext, "database" | "now" | "origin">,
  credential: string,
  purpose: ChallengePurpose,
  personId: string | null,
): Promise<VerifiedPasskey> {
  const party = requireRelyingParty(app);
  const signed = readAuthentication(credential);
  const challenge = readChallenge(signed.response.clientDataJSON);
  await consumeChallenge(app.database.db, app.now(), challenge, purpose, personId);
  const kept = await maybeOne(
    app.database.db,
    sql<AccountOwner & StoredPasskey>`
    select ${accountOwnerColumns}, k.id as "passkeyId", k.public_key as "publicKey", k.counter
    from passkeys k join people on people.id = k.person_id
    where k.credential_id = ${Buffer.from(signed.id, "base64url")} and k.party = ${party.id}
      and people.state not in ('erased', 'ghost', 'guest', 'bot')
      and people.id = coalesce(${personId}::uuid, people.id)`,
  );
  if (!kept || !handleMatches(signed.response.userHandle, kept.id, personId)) throw passkeyMismatch();
  const { verifyAuthenticationResponse } = await import("@simplewebauthn/server");
  const checked = await verifyAuthenticationResponse({
    response: signed,
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    credential: { id: signed.id, publicKey: new Uint8Array(kept.publicKey), counter: Number(kept.counter) },
    requireUserVerification: true,
  }).catch(() => null);
  if (!checked?.verified) throw passkeyMismatch();
  return { passkeyId: kept.passkeyId, counter: checked.authenticationInfo.newCounter, owner: kept };
}

/** Compares the user handle. An authenticator may omit it when it was asked for a specific passkey. */
const handleMatches = (handle: string | undefined, ownerId: string, askedFor: string | null) =>
  handle ? Buffer.from(handle, "base64url").equals(userHandle(ownerId)) : askedFor !== null;

/**
 * The signature counter is compared in the update: if a passkey and its clone are used concurrently, only
 * one signs in.
 */
async function recordPasskeyUse(tx: Tx, { passkeyId, counter }: VerifiedPasskey): Promise<void> {
  const noted = await run(
    tx,
    sql`update passkeys set counter = ${counter}, used_at = ${tx.now}
        where id = ${passkeyId} and (counter < ${counter} or (counter = 0 and ${counter} = 0))`,
  );
  if (noted !== 1) throw passkeyMismatch();
}
