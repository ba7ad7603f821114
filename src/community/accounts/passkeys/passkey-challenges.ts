import { addMilliseconds, MINUTE } from "#platform/clock";
import { type Db, maybeOne, run, sql } from "#platform/database";
import { hashSecret, createSecret } from "#platform/ids";
import { Refusal } from "#platform/refusal";
import type { AccountsContext } from "../accounts-context.ts";
import { type RelyingParty, findRelyingParty } from "./relying-party.ts";

/** Purpose of a challenge: adding a passkey, signing in, or second factor. */
export type ChallengePurpose = "add" | "enter" | "second_step";

const CHALLENGE_LIFETIME = 5 * MINUTE;

/** Creates a challenge to sign. Only its hash is stored. */
export async function issueChallenge(
  app: Pick<AccountsContext, "database" | "now">,
  purpose: ChallengePurpose,
  personId: string | null,
): Promise<string> {
  const challenge = createSecret();
  await run(
    app.database.db,
    sql`insert into passkey_challenges (challenge_hash, purpose, person_id, expires_at)
        values (${hashSecret(challenge)}, ${purpose}, ${personId},
          ${addMilliseconds(app.now(), CHALLENGE_LIFETIME)})`,
  );
  return challenge;
}

/**
 * Uses a challenge, once, for the person and purpose it was issued for.
 * @throws `gone` for any other
 */
export async function consumeChallenge(
  db: Db,
  now: Date,
  challenge: string,
  purpose: ChallengePurpose,
  personId: string | null,
): Promise<void> {
  const taken = await maybeOne(
    db,
    sql`delete from passkey_challenges
      where challenge_hash = ${hashSecret(challenge)} and purpose = ${purpose}
          and person_id is not distinct from ${personId}::uuid and expires_at > ${now} returning purpose`,
  );
  if (!taken) throw new Refusal("gone", "That took too long. Try again.");
}

/**
 * Returns the relying party of this site.
 * @throws `unavailable` where the site cannot have passkeys
 */
export function requireRelyingParty(app: Pick<AccountsContext, "origin">): RelyingParty {
  const party = findRelyingParty(app.origin());
  if (!party) throw new Refusal("unavailable", "Passkeys need a domain name and https.");
  return party;
}
