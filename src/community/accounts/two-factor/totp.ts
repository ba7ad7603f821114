import { randomBytes } from "node:crypto";
import { Secret, TOTP } from "otpauth";
import { renderSVG } from "uqr";
import { maybeOne, run, sql, type Tx } from "#platform/database";
import { hashSecret } from "#platform/ids";
import { emit } from "#platform/outbox";
import { invalid, Refusal } from "#platform/refusal";
import type { SignedIn } from "#community/rules";
import { ACCOUNT_LIMITS } from "../account-limits.ts";
import { type AccountsContext, inAccountTransaction } from "../accounts-context.ts";
import { type IdentityProof, requireProof } from "./identity-proof.ts";
import { findTotpStep, TOTP_PERIOD_SECONDS } from "./two-factor-code.ts";
import { accountMailLinks, sendAccountMail } from "../emails/send-account-mail.ts";

/**
 * Begins the setup of two-factor by app.
 * @throws `invalid` on `proof` without the password or a code, `not-allowed` for a person with neither
 * whose session is not recent
 */
export async function beginTotpSetup(
  app: Pick<AccountsContext, "database" | "limits" | "settings" | "now" | "sealer">,
  viewer: SignedIn,
  proof: IdentityProof,
) {
  const secret = new Secret({ size: 20 });
  const issuer = (await app.settings.get()).name;
  const username = await requireProof(app, viewer, proof, async (tx) => {
    const written = await run(
      tx,
      sql`
      insert into totp_secrets (person_id, secret_sealed, created_at)
      values (${viewer.id}, ${sealTotpSecret(app, viewer.id, secret)}, ${tx.now})
      on conflict (person_id) do update set secret_sealed = excluded.secret_sealed,
        created_at = excluded.created_at, last_step = 0
      where totp_secrets.confirmed_at is null`,
    );
    if (written === 0)
      throw new Refusal(
        "conflict",
        "Two-factor authentication is already on. Turn it off first to use another app.",
      );
    return (
      (await maybeOne(tx, sql<{ username: string }>`select username from people where id = ${viewer.id}`))
        ?.username ?? ""
    );
  });
  const uri = new TOTP({ issuer, label: username, secret, period: TOTP_PERIOD_SECONDS }).toString();
  return { secret: secret.base32, uri, qr: renderSVG(uri, { ecc: "M", border: 2 }) };
}

/**
 * Enables two-factor by app and returns ten recovery codes, shown only once.
 * @throws `invalid` on `code`
 */
export const confirmTotpSetup = async (
  app: Pick<AccountsContext, "database" | "limits" | "settings" | "origin" | "sealer">,
  viewer: SignedIn,
  code: string,
) => {
  await app.limits.take("second-step", ACCOUNT_LIMITS.secondStep, viewer.id);
  return inAccountTransaction(app, async (tx) => {
    const step = await findTotpStep(app, tx, viewer.id, code, false);
    const confirmed =
      step &&
      (await run(
        tx,
        sql`
      update totp_secrets set confirmed_at = ${tx.now}, last_step = ${step}
      where person_id = ${viewer.id} and confirmed_at is null`,
      ));
    if (!confirmed)
      throw invalid("code", "This code is wrong. Check the clock of your phone and enter the next one.");
    await sendAccountMail(tx, "secondStepOn", viewer.id, { link: accountMailLinks.askForReset(app) });
    await emit(tx, { type: "person.second-step-changed", personId: viewer.id, on: true });
    return { recoveryCodes: await createRecoveryCodes(tx, viewer.id) };
  });
};

export const replaceRecoveryCodes = (
  app: Pick<AccountsContext, "database" | "limits" | "settings" | "now" | "sealer">,
  viewer: SignedIn,
  proof: string,
) =>
  requireProof(app, viewer, { proof, sessionId: null }, async (tx) => ({
    recoveryCodes: await createRecoveryCodes(tx, viewer.id),
  }));

const sealTotpSecret = (app: Pick<AccountsContext, "sealer">, personId: string, secret: Secret) =>
  app.sealer.sealBytes(`totp:${personId}`, Buffer.from(secret.bytes));

const RECOVERY_CODES = 10;
const RECOVERY_ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789";

export async function createRecoveryCodes(tx: Tx, personId: string): Promise<string[]> {
  // Each code has 80 bits, written in 32 characters that are not easily confused.
  const codes = Array.from({ length: RECOVERY_CODES }, () =>
    [...randomBytes(16)].map((byte) => RECOVERY_ALPHABET[byte % 32]).join(""),
  );
  await run(tx, sql`delete from recovery_codes where person_id = ${personId}`);
  await run(
    tx,
    sql`insert into recovery_codes (person_id, code_hash) select ${personId},
      unnest(${codes.map((code) => hashSecret(code))}::bytea[])`,
  );
  return codes.map((code) => code.replace(/(.{4})(?=.)/g, "$1-"));
}
