import { maybeOne, run, sql } from "#platform/database";
import { hashSecret } from "#platform/ids";
import { invalid, Refusal } from "#platform/refusal";
import { ACCOUNT_LIMITS } from "../account-limits.ts";
import type { SessionKind, ClientInfo, StartedSession } from "../types.ts";
import { completeSignIn } from "../sign-in/complete-sign-in.ts";
import { type AccountsContext, inAccountTransaction } from "../accounts-context.ts";
import { consumeTwoFactorCode } from "./two-factor-code.ts";

const MAX_ATTEMPTS = 5;

type TwoFactorChallenge = { personId: string; stay: boolean };

/**
 * Completes the sign-in with an app code or a recovery code.
 * @throws `invalid` on `code`, `gone` after five attempts or ten minutes
 */
export async function finishTwoFactor(
  app: Pick<AccountsContext, "database" | "limits" | "settings" | "now" | "origin" | "sealer">,
  challengeToken: string,
  code: string,
  from: ClientInfo,
  sessionKind: SessionKind,
): Promise<StartedSession> {
  const half = await countTwoFactorAttempt(app, challengeToken);
  // The limit is per person: with the password, an attacker could start a new challenge after every five
  // attempts.
  await app.limits.take("second-step", ACCOUNT_LIMITS.secondStep, half.personId);
  const session = await inAccountTransaction(app, async (tx) => {
    if (!(await consumeTwoFactorCode(app, tx, half.personId, code))) return null;
    const ours = await run(
      tx,
      sql`delete from two_factor_challenges where token_hash = ${hashSecret(challengeToken)}`,
    );
    return ours === 1 ? completeSignIn(app, tx, half.personId, { stay: half.stay, from, sessionKind }) : null;
  });
  if (!session) throw invalid("code", "This code is wrong or was already used. Enter the next one.");
  await app.limits.forget("second-step", ACCOUNT_LIMITS.secondStep, half.personId);
  return session;
}

/** Counts an attempt before the code is checked, so that concurrent attempts are counted one by one. */
export async function countTwoFactorAttempt(
  app: Pick<AccountsContext, "database" | "now">,
  challengeToken: string,
): Promise<TwoFactorChallenge> {
  const half = await maybeOne(
    app.database.db,
    sql<TwoFactorChallenge>`
    update two_factor_challenges set tries = tries + 1
    where token_hash = ${hashSecret(challengeToken)} and expires_at > ${app.now()} and tries < ${MAX_ATTEMPTS}
    returning person_id as "personId", stay`,
  );
  if (!half) throw new Refusal("gone", "That took too long, or there were too many attempts. Sign in again.");
  return half;
}
