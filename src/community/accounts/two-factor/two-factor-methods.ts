import { type Db, maybeOne, one, run, sql, type Tx } from "#platform/database";
import { emit } from "#platform/outbox";
import { Refusal } from "#platform/refusal";
import { isStaff, type SignedIn } from "#community/rules";
import type { AccountTx, AccountsContext } from "../accounts-context.ts";
import { type IdentityProof, requireProof } from "./identity-proof.ts";
import { createRecoveryCodes } from "./totp.ts";
import { accountMailLinks, sendAccountMail } from "../emails/send-account-mail.ts";
import { requireRelyingParty } from "../passkeys/passkey-challenges.ts";

/** Factors required after the password. */
type TwoFactorMethods = { app: boolean; passkey: boolean };

const getTwoFactorMethods = (db: Db, personId: string): Promise<TwoFactorMethods> =>
  one(
    db,
    sql<TwoFactorMethods>`
    select exists (select 1 from totp_secrets t
      where t.person_id = p.id and t.confirmed_at is not null) as app,
        p.passkey_step_at is not null as passkey
    from people p where p.id = ${personId}`,
  );

/**
 * Requires a passkey after the password from now on. Returns ten recovery codes, shown once; null if they
 * exist already because the person uses an app.
 * @throws `invalid` on `proof`, as in `beginTotpSetup`, `conflict` without a passkey
 */
export const requirePasskey = (
  app: Pick<AccountsContext, "database" | "limits" | "settings" | "now" | "origin" | "sealer">,
  viewer: SignedIn,
  proof: IdentityProof,
) =>
  requireProof(app, viewer, proof, async (tx) => {
    const party = requireRelyingParty(app);
    await run(tx, sql`select from people where id = ${viewer.id} for update`);
    if (
      !(await maybeOne(
        tx,
        sql`select from passkeys where person_id = ${viewer.id} and party = ${party.id} limit 1`,
      ))
    )
      throw new Refusal("conflict", "You have no passkey for this site.");
    const { app: hasApp } = await getTwoFactorMethods(tx, viewer.id);
    await run(
      tx,
      sql`update people set passkey_step_at = ${tx.now} where id = ${viewer.id} and passkey_step_at is null`,
    );
    if (hasApp) return { recoveryCodes: null };
    await sendAccountMail(tx, "secondStepOn", viewer.id, { link: accountMailLinks.askForReset(app) });
    await emit(tx, { type: "person.second-step-changed", personId: viewer.id, on: true });
    return { recoveryCodes: await createRecoveryCodes(tx, viewer.id) };
  });

/**
 * Stops requiring a passkey after the password.
 * @throws `invalid` on `proof`, `not-allowed` for staff who must have two-factor and do not use an app
 */
export const stopRequiringPasskey = (
  app: Pick<AccountsContext, "database" | "limits" | "settings" | "now" | "origin" | "sealer">,
  viewer: SignedIn,
  proof: string,
): Promise<void> =>
  disableMethod(app, viewer, proof, "passkey", (tx) =>
    run(tx, sql`update people set passkey_step_at = null where id = ${viewer.id}`),
  );

/**
 * Disables two-factor by app. `proof` is the password, an app code or a recovery code.
 * @throws `invalid` on `proof`, `not-allowed` for staff who must have two-factor and do not require a
 * passkey
 */
export const disableTotp = (
  app: Pick<AccountsContext, "database" | "limits" | "settings" | "now" | "origin" | "sealer">,
  viewer: SignedIn,
  proof: string,
): Promise<void> =>
  disableMethod(app, viewer, proof, "app", (tx) =>
    run(tx, sql`delete from totp_secrets where person_id = ${viewer.id}`),
  );

/** Disables one method. Two-factor ends with the last method, and its recovery codes are deleted. */
async function disableMethod(
  app: Pick<AccountsContext, "database" | "limits" | "settings" | "now" | "origin" | "sealer">,
  viewer: SignedIn,
  proof: string,
  step: keyof TwoFactorMethods,
  end: (tx: Tx) => Promise<number>,
): Promise<void> {
  const { staffNeedSecondStep } = await app.settings.get();
  await requireProof(app, viewer, { proof, sessionId: null }, async (tx) => {
    await run(tx, sql`select from people where id = ${viewer.id} for update`);
    await end(tx);
    if ((await getTwoFactorMethods(tx, viewer.id))[OTHER_METHOD[step]]) return;
    if (staffNeedSecondStep && isStaff(viewer))
      throw new Refusal("not-allowed", "Staff need two-factor authentication here.");
    await disableTwoFactor(app, tx, viewer.id);
  });
}

const OTHER_METHOD = { app: "passkey", passkey: "app" } as const;

async function disableTwoFactor(
  app: Pick<AccountsContext, "origin">,
  tx: AccountTx,
  personId: string,
): Promise<void> {
  await run(tx, sql`delete from recovery_codes where person_id = ${personId}`);
  await run(tx, sql`delete from two_factor_challenges where person_id = ${personId}`);
  await sendAccountMail(tx, "secondStepOff", personId, { link: accountMailLinks.askForReset(app) });
  await emit(tx, { type: "person.second-step-changed", personId, on: false });
}

/**
 * Asserts, before a passkey is removed, that it is not the last one while passkeys are the only second
 * factor. Locks the person's row.
 */
export async function assertMethodRemains(tx: Tx, personId: string): Promise<void> {
  await run(tx, sql`select from people where id = ${personId} for update`);
  const { app, passkey } = await getTwoFactorMethods(tx, personId);
  const { n } = await one(
    tx,
    sql<{ n: number }>`select count(*)::int as n from passkeys where person_id = ${personId}`,
  );
  if (!passkey || n > 1) return;
  if (!app)
    throw new Refusal(
      "conflict",
      "This passkey is your second factor. Add another one first, or turn two-factor authentication off.",
    );
  await run(tx, sql`update people set passkey_step_at = null where id = ${personId}`);
}
