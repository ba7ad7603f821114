import { later, MINUTE } from "#platform/clock";
import { type Db, maybeOne, run, sql } from "#platform/database";
import { hashOf, newSecret } from "#platform/ids";
import { Refusal } from "#platform/refusal";
import type { House } from "../house.ts";
import { type Party, partyOf } from "./party.ts";

/** Purpose of a challenge: adding a passkey, signing in, or second factor. */
export type Purpose = "add" | "enter" | "second_step";

const LASTS = 5 * MINUTE;

/** Creates a challenge to sign. Only its hash is stored. */
export async function issueChallenge(house: House, purpose: Purpose, personId: string | null): Promise<string> {
  const challenge = newSecret();
  await run(
    house.database.db,
    sql`insert into passkey_challenges (challenge_hash, purpose, person_id, expires_at)
        values (${hashOf(challenge)}, ${purpose}, ${personId}, ${later(house.now(), LASTS)})`,
  );
  return challenge;
}

/**
 * Uses a challenge, once, for the person and purpose it was issued for.
 * @throws `gone` for any other
 */
export async function takeChallenge(db: Db, now: Date, challenge: string, purpose: Purpose, personId: string | null): Promise<void> {
  const taken = await maybeOne(
    db,
    sql`delete from passkey_challenges where challenge_hash = ${hashOf(challenge)} and purpose = ${purpose}
          and person_id is not distinct from ${personId}::uuid and expires_at > ${now} returning purpose`,
  );
  if (!taken) throw new Refusal("gone", "That took too long. Please try again.");
}

/** @throws `unavailable` where the site cannot have passkeys */
export function partyHere(house: House): Party {
  const party = partyOf(house.origin());
  if (!party) throw new Refusal("unavailable", "Passkeys need an address with a name, and https.");
  return party;
}
