import { randomBytes } from "node:crypto";
import { Secret, TOTP } from "otpauth";
import { renderSVG } from "uqr";
import { type Db, maybeOne, run, sql, type Tx } from "#platform/database";
import { hashSecret } from "#platform/ids";
import { emit } from "#platform/outbox";
import { invalid, Refusal } from "#platform/refusal";
import type { SignedIn } from "#community/rules";
import { ACCOUNT_LIMITS } from "../account-limits.ts";
import type { AccountsContext } from "../accounts-context.ts";
import { type IdentityProof, requireProof } from "./identity-proof.ts";
import { links, sendAccountMail } from "../emails/send-account-mail.ts";

const PERIOD = 30;

export async function beginTotpSetup(app: AccountsContext, viewer: SignedIn, proof: IdentityProof) {
  const secret = new Secret({ size: 20 });
  const issuer = (await app.settings.get()).name;
  const username = await requireProof(app, viewer, proof, async (tx) => {
    const written = await run(
      tx,
      sql`
      insert into totp_secrets (person_id, secret_sealed, created_at) values (${viewer.id}, ${sealTotpSecret(app, viewer.id, secret)}, ${tx.now})
      on conflict (person_id) do update set secret_sealed = excluded.secret_sealed, created_at = excluded.created_at, last_step = 0
      where totp_secrets.confirmed_at is null`,
    );
    if (written === 0) throw new Refusal("conflict", "The second step is on already. Switch it off first to use another app.");
    return (await maybeOne(tx, sql<{ username: string }>`select username from people where id = ${viewer.id}`))?.username ?? "";
  });
  const uri = new TOTP({ issuer, label: username, secret, period: PERIOD }).toString();
  return { secret: secret.base32, uri, qr: renderSVG(uri, { ecc: "M", border: 2 }) };
}

export const confirmTotpSetup = async (app: AccountsContext, viewer: SignedIn, code: string) => {
  await app.limits.take("second-step", ACCOUNT_LIMITS.secondStep, viewer.id);
  return app.inTransaction(async (tx) => {
    const step = await findTotpStep(app, tx, viewer.id, code, false);
    const confirmed =
      step &&
      (await run(
        tx,
        sql`
      update totp_secrets set confirmed_at = ${tx.now}, last_step = ${step} where person_id = ${viewer.id} and confirmed_at is null`,
      ));
    if (!confirmed) throw invalid("code", "That code does not fit. Please check the clock of your phone, and take the next one.");
    await sendAccountMail(tx, "secondStepOn", viewer.id, { link: links.askForReset(app) });
    await emit(tx, { type: "person.second-step-changed", personId: viewer.id, on: true });
    return { recoveryCodes: await createRecoveryCodes(tx, viewer.id) };
  });
};

export const replaceRecoveryCodes = (app: AccountsContext, viewer: SignedIn, proof: string) =>
  requireProof(app, viewer, { proof, sessionId: null }, async (tx) => ({ recoveryCodes: await createRecoveryCodes(tx, viewer.id) }));

/** Uses an app code or a recovery code, once. False when it is wrong. */
export async function useTwoFactorCode(app: AccountsContext, tx: Tx, personId: string, given: string): Promise<boolean> {
  const code = given.replace(/[\s-]/g, "").toLowerCase();
  if (!/^\d{6}$/.test(code)) return spendRecoveryCode(tx, personId, code);
  const step = await findTotpStep(app, tx, personId, code, true);
  if (step === null) return false;
  return (await run(tx, sql`update totp_secrets set last_step = ${step} where person_id = ${personId} and last_step < ${step}`)) === 1;
}

/** The 30-second time step of a code (a minute of tolerance in all), or null. */
async function findTotpStep(
  app: AccountsContext,
  db: Db & { now: Date },
  personId: string,
  code: string,
  confirmed: boolean,
): Promise<number | null> {
  const row = await maybeOne(
    db,
    sql<{ sealed: Buffer }>`
    select secret_sealed as sealed from totp_secrets where person_id = ${personId} and (confirmed_at is not null) = ${confirmed}`,
  );
  const bytes = row && app.sealer.unsealBytes(`totp:${personId}`, row.sealed);
  if (!bytes) return null;
  const totp = new TOTP({ secret: new Secret({ buffer: new Uint8Array(bytes).buffer }), period: PERIOD });
  const delta = totp.validate({ token: code.replace(/\s/g, ""), timestamp: db.now.getTime(), window: 1 });
  return delta === null ? null : Math.floor(db.now.getTime() / 1000 / PERIOD) + delta;
}

const sealTotpSecret = (app: AccountsContext, personId: string, secret: Secret) =>
  app.sealer.sealBytes(`totp:${personId}`, Buffer.from(secret.bytes));

const RECOVERY_CODES = 10;
const RECOVERY_ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789";

export async function createRecoveryCodes(tx: Tx, personId: string): Promise<string[]> {
  // 80 bits each, of 32 characters that cannot be confused.
  const codes = Array.from({ length: RECOVERY_CODES }, () => [...randomBytes(16)].map((byte) => RECOVERY_ALPHABET[byte % 32]).join(""));
  await run(tx, sql`delete from recovery_codes where person_id = ${personId}`);
  await run(
    tx,
    sql`insert into recovery_codes (person_id, code_hash) select ${personId}, unnest(${codes.map((code) => hashSecret(code))}::bytea[])`,
  );
  return codes.map((code) => code.replace(/(.{4})(?=.)/g, "$1-"));
}

const spendRecoveryCode = async (tx: Tx, personId: string, code: string): Promise<boolean> =>
  (await run(
    tx,
    sql`update recovery_codes set used_at = ${tx.now} where person_id = ${personId} and code_hash = ${hashSecret(code)} and used_at is null`,
  )) === 1;
