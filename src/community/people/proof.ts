import { later, MINUTE } from "#platform/clock";
import { one, sql } from "#platform/database";
import { invalid, Refusal } from "#platform/refusal";
import type { SignedIn } from "#community/rules";
import { ALLOWANCES } from "./allowances.ts";
import type { AccountTx, House } from "./house.ts";
import { passwordFits } from "./passwords.ts";
import { takeCode } from "./totp.ts";

/** How long ago somebody may have signed in who has neither a password nor codes to show. */
const RECENT = 15 * MINUTE;

/** What somebody shows before something that keeps others out or lets others in. */
export type Proof = { proof: string; sessionId: string | null };

type Row = { hash: string | null; hasCodes: boolean; isRecent: boolean };

/**
 * Runs `work` for whoever shows the password, a code of the app or a recovery code, or who has none of them
 * and has signed in within the last 15 minutes: whoever finds a session that was left open must not make a
 * key of their own to it, nor a second step that keeps its owner out. Throws `invalid` on `proof`, and
 * `not-allowed` for a session that is older.
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
