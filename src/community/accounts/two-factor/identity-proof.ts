import { addMilliseconds, MINUTE } from "#platform/clock";
import { one, sql } from "#platform/database";
import { invalid, Refusal } from "#platform/refusal";
import type { SignedIn } from "#community/rules";
import { ACCOUNT_LIMITS } from "../account-limits.ts";
import { type AccountTx, type AccountsContext, inAccountTransaction } from "../accounts-context.ts";
import { isPasswordCorrect } from "../sign-in/password-hashing.ts";
import { consumeTwoFactorCode } from "./two-factor-code.ts";

/** Maximum age of the session of a person who has neither a password nor codes. */
const RECENT_SIGN_IN = 15 * MINUTE;

/** Proof of identity before a change of credentials. */
export type IdentityProof = { proof: string; sessionId: string | null };

type ProofRow = { hash: string | null; hasCodes: boolean; isRecent: boolean };

/**
 * Runs `work` after proof by password, app code or recovery code; a person with none of them needs a sign-in
 * within the last 15 minutes. Otherwise a stranger at an unattended session could add credentials or lock
 * the owner out.
 * @throws `invalid` on `proof`, `not-allowed` for an older session
 */
export async function requireProof<T>(
  app: Pick<AccountsContext, "database" | "limits" | "settings" | "now" | "sealer">,
  viewer: SignedIn,
  identityProof: IdentityProof,
  work: (tx: AccountTx) => Promise<T>,
): Promise<T> {
  const { proof, sessionId } = identityProof;
  await app.limits.take("own-password", ACCOUNT_LIMITS.ownPassword, viewer.id);
  const { hash, hasCodes, isRecent } = await one(
    app.database.db,
    sql<ProofRow>`
    select p.password_hash as hash, exists (select from recovery_codes c
      where c.person_id = p.id) as "hasCodes",
      exists (select from sessions s where s.id = ${sessionId}::uuid and s.person_id = p.id
        and s.created_at > ${addMilliseconds(app.now(), -RECENT_SIGN_IN)}) as "isRecent"
    from people p where p.id = ${viewer.id}`,
  );
  if (hash === null && !hasCodes) {
    if (isRecent) return inAccountTransaction(app, work);
    throw new Refusal("not-allowed", "Sign out and in again first: this needs a recent sign-in.");
  }
  const isPassword = await isPasswordCorrect(proof.slice(0, 1_000), hash);
  return inAccountTransaction(app, async (tx) => {
    if (!isPassword && !(await consumeTwoFactorCode(app, tx, viewer.id, proof)))
      throw invalid("proof", "Wrong password or code.");
    return work(tx);
  });
}
