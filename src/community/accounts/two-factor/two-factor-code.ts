import { Secret, TOTP } from "otpauth";
import { type Db, maybeOne, run, sql, type Tx } from "#platform/database";
import { hashSecret } from "#platform/ids";
import type { AccountsContext } from "../accounts-context.ts";

export const TOTP_PERIOD_SECONDS = 30;

/** Uses up an app code or a recovery code. Returns false if it is wrong. */
export async function consumeTwoFactorCode(
  app: Pick<AccountsContext, "sealer">,
  tx: Tx,
  personId: string,
  given: string,
): Promise<boolean> {
  const code = given.replace(/[\s-]/g, "").toLowerCase();
  if (!/^\d{6}$/.test(code)) return spendRecoveryCode(tx, personId, code);
  const step = await findTotpStep(app, tx, personId, code, true);
  if (step === null) return false;
  return (
    (await run(
      tx,
      sql`update totp_secrets set last_step = ${step} where person_id = ${personId} and last_step < ${step}`,
    )) === 1
  );
}

/**
 * The 30-second time step of a valid code, or null. Codes of the previous and the next step are valid too.
 */
export async function findTotpStep(
  app: Pick<AccountsContext, "sealer">,
  db: Db & { now: Date },
  personId: string,
  code: string,
  confirmed: boolean,
): Promise<number | null> {
  const row = await maybeOne(
    db,
    sql<{ sealed: Buffer }>`
    select secret_sealed as sealed from totp_secrets
    where person_id = ${personId} and (confirmed_at is not null) = ${confirmed}`,
  );
  const bytes = row && app.sealer.unsealBytes(`totp:${personId}`, row.sealed);
  if (!bytes) return null;
  const totp = new TOTP({
    secret: new Secret({ buffer: new Uint8Array(bytes).buffer }),
    period: TOTP_PERIOD_SECONDS,
  });
  const delta = totp.validate({ token: code.replace(/\s/g, ""), timestamp: db.now.getTime(), window: 1 });
  return delta === null ? null : Math.floor(db.now.getTime() / 1000 / TOTP_PERIOD_SECONDS) + delta;
}

const spendRecoveryCode = async (tx: Tx, personId: string, code: string): Promise<boolean> =>
  (await run(
    tx,
    sql`update recovery_codes set used_at = ${tx.now}
      where person_id = ${personId} and code_hash = ${hashSecret(code)} and used_at is null`,
  )) === 1;
