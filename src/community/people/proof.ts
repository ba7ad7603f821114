import { later, MINUTE } from "#platform/clock";
import { one, sql } from "#platform/database";
import { invalid, Refusal } from "#platform/refusal";
import type { SignedIn } from "#community/rules";
import { ALLOWANCES } from "./allowances.ts";
import type { AccountTx, House } from "./house.ts";
import { passwordFits } from "./passwords.ts";
import { takeCode } from "./totp.ts";

/** Maximum age of the sign-in of a person with neither password nor codes. */
const RECENT = 15 * MINUTE;

/** Proof of identity before a change of credentials. */
export type Proof = { proof: string; sessionId: string | null };

type Row = { hash: string | null; hasCodes: boolean; isRecent: boolean };

/**
 * Runs `work` after proof by password, app code or recovery code, or, for a person with none of them, by a
 * sign-in within 15 minutes: someone at an unattended session must not be able to add credentials or lock its
 * owner out.
 * @throws `invalid` on `proof`, `not-allowed` for an older session
 */
export async function withProof<T>(house: House, viewer: SignedIn, given: Proof, work: (tx: AccountTx) => Promise<T>): Promise<T> {
  const { proof, sessionId } = given;
  await house.limits.take("own-password", ALLOWANCES.ownPassword, viewer.id);
  const { hash, hasCodes, isRecent } = await one(
    house.database.db,
    sql<Row>`
    select p.password_hash as hash, exists (select from recovery_codes c where c.person_id = p.id) as "hasCodes",
      exists (select from sessions s where s.id = ${sessionId}::uuid and s.person_id = p.id
        and s.created_at > ${later(house.now(), -RECENT)}) as "isRecent"
    from people p where p.id = ${viewer.id}`,
  );
  if (hash === null && !hasCodes) {
    if (isRecent) return house.inTransaction(work);
    throw new Refusal("not-allowed", "Please sign out and in once more first: this session began a while ago.");
  }
  const isPassword = await passwordFits(proof.slice(0, 1_000), hash);
  return house.inTransaction(async (tx) => {
    if (!isPassword && !(await takeCode(house, tx, viewer.id, proof)))
      throw invalid("proof", "That is neither your password nor a code that fits.");
    return work(tx);
  });
}
