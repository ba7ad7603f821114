import { later, MINUTE } from "#platform/clock";
import { type Db, maybeOne, run, sql } from "#platform/database";
import { hashOf, newSecret } from "#platform/ids";
import { Refusal } from "#platform/refusal";
import type { House } from "../house.ts";
import { type Party, partyOf } from "./party.ts";

/** What a passkey is asked for: to be taken up, to let its person in, or to be their second step. */
export type Purpose = "add" | "enter" | "second_step";

const LASTS = 5 * MINUTE;

/** Something new to sign. Only its hash is kept. */
export async function issueChallenge(house: House, purpose: Purpose, personId: string | null): Promise<string> {
  const challenge = newSecret();
  await run(
    house.database.db,
    sql`insert into passkey_challenges (challenge_hash, purpose, person_id, expires_at)
        values (${hashOf(challenge)}, ${purpose}, ${personId}, ${later(house.now(), LASTS)})`,
  );
  return challenge;
}

/** Takes it back, once, from whomever it was given to for this purpose. Throws `gone` for any other. */
export async function takeChallenge(db: Db, now: Date, challenge: string, purpose: Purpose, personId: string | null): Promise<void> {
  const taken = await maybeOne(
    db,
    sql`delete from passkey_challenges where challenge_hash = ${hashOf(challenge)} and purpose = ${purpose}
          and person_id is not distinct from ${personId}::uuid and expires_at > ${now} returning purpose`,
  );
  if (!taken) throw new Refusal("gone", "That took too long. Please try again.");
}

/** Throws `unavailable` where this house cannot have passkeys. */
export function partyHere(house: House): Party {
  const party = partyOf(house.origin());
  if (!party) throw new Refusal("unavailable", "Passkeys need an address with a name, and https.");
  return party;
}
