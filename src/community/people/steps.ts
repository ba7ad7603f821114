import { type Db, maybeOne, one, run, sql, type Tx } from "#platform/database";
import { announce } from "#platform/outbox";
import { Refusal } from "#platform/refusal";
import { isStaff, type SignedIn } from "#community/rules";
import type { AccountTx, House } from "./house.ts";
import { type Proof, withProof } from "./proof.ts";
import { writeRecoveryCodes } from "./totp.ts";
import { links, write } from "./write.ts";
import { partyHere } from "./passkeys/challenges.ts";

/** Factors that follow the password. */
type Steps = { app: boolean; passkey: boolean };

const stepsOf = (db: Db, personId: string): Promise<Steps> =>
  one(
    db,
    sql<Steps>`
    select exists (select 1 from totp_secrets t where t.person_id = p.id and t.confirmed_at is not null) as app, p.passkey_step_at is not null as passkey
    from people p where p.id = ${personId}`,
  );

export const askForPasskey = (house: House, viewer: SignedIn, proof: Proof) =>
  withProof(house, viewer, proof, async (tx) => {
    const party = partyHere(house);
    await run(tx, sql`select from people where id = ${viewer.id} for update`);
    if (!(await maybeOne(tx, sql`select from passkeys where person_id = ${viewer.id} and party = ${party.id} limit 1`)))
      throw new Refusal("conflict", "You have no passkey for this address.");
    const { app } = await stepsOf(tx, viewer.id);
    await run(tx, sql`update people set passkey_step_at = ${tx.now} where id = ${viewer.id} and passkey_step_at is null`);
    if (app) return { recoveryCodes: null };
    await write(tx, "secondStepOn", viewer.id, { link: links.askForReset(house) });
    await announce(tx, { type: "person.second-step-changed", personId: viewer.id, on: true });
    return { recoveryCodes: await writeRecoveryCodes(tx, viewer.id) };
  });

export const waivePasskey = (house: House, viewer: SignedIn, proof: string): Promise<void> =>
  endStep(house, viewer, proof, "passkey", (tx) => run(tx, sql`update people set passkey_step_at = null where id = ${viewer.id}`));

export const disableTotp = (house: House, viewer: SignedIn, proof: string): Promise<void> =>
  endStep(house, viewer, proof, "app", (tx) => run(tx, sql`delete from totp_secrets where person_id = ${viewer.id}`));

/**
 * Disables one method. With another one left, two-factor stays on; otherwise it ends, with its recovery
 * codes.
 */
async function endStep(house: House, viewer: SignedIn, proof: string, step: keyof Steps, end: (tx: Tx) => Promise<number>): Promise<void> {
  const { staffNeedSecondStep } = await house.settings.get();
  await withProof(house, viewer, { proof, sessionId: null }, async (tx) => {
    await run(tx, sql`select from people where id = ${viewer.id} for update`);
    await end(tx);
    if ((await stepsOf(tx, viewer.id))[other[step]]) return;
    if (staffNeedSecondStep && isStaff(viewer)) throw new Refusal("not-allowed", "Staff sign in with two steps here.");
    await switchOff(house, tx, viewer.id);
  });
}

const other = { app: "passkey", passkey: "app" } as const;

async function switchOff(house: House, tx: AccountTx, personId: string): Promise<void> {
  await run(tx, sql`delete from recovery_codes where person_id = ${personId}`);
  await run(tx, sql`delete from half_sign_ins where person_id = ${personId}`);
  await write(tx, "secondStepOff", personId, { link: links.askForReset(house) });
  await announce(tx, { type: "person.second-step-changed", personId, on: false });
}

/**
 * Before a passkey is removed: the last one stays while it is the only second factor. Locks the person's row.
 */
export async function mindStep(tx: Tx, personId: string): Promise<void> {
  await run(tx, sql`select from people where id = ${personId} for update`);
  const { app, passkey } = await stepsOf(tx, personId);
  const { n } = await one(tx, sql<{ n: number }>`select count(*)::int as n from passkeys where person_id = ${personId}`);
  if (!passkey || n > 1) return;
  if (!app) throw new Refusal("conflict", "This passkey is your second step. Add another one first, or switch the second step off.");
  await run(tx, sql`update people set passkey_step_at = null where id = ${personId}`);
}
