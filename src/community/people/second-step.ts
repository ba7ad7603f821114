import { maybeOne, run, sql } from "#platform/database";
import { hashOf } from "#platform/ids";
import { invalid, Refusal } from "#platform/refusal";
import { ALLOWANCES } from "./allowances.ts";
import type { Door, From, StartedSession } from "./door.ts";
import { goIn } from "./enter.ts";
import type { House } from "./house.ts";
import { takeCode } from "./totp.ts";

const MOST_TRIES = 5;

type Half = { personId: string; stay: boolean };

export async function finishSecondStep(house: House, halfToken: string, code: string, from: From, door: Door): Promise<StartedSession> {
  const half = await takeTry(house, halfToken);
  // A person with the password could start again after every five attempts.
  await house.limits.take("second-step", ALLOWANCES.secondStep, half.personId);
  const session = await house.inTransaction(async (tx) => {
    if (!(await takeCode(house, tx, half.personId, code))) return null;
    const ours = await run(tx, sql`delete from half_sign_ins where token_hash = ${hashOf(halfToken)}`);
    return ours === 1 ? goIn(house, tx, half.personId, { stay: half.stay, from, door }) : null;
  });
  if (!session) throw invalid("code", "That code does not fit, or has been used. Please take the next one.");
  await house.limits.forget("second-step", ALLOWANCES.secondStep, half.personId);
  return session;
}

/** Counts an attempt before checking it, so that concurrent ones are counted one by one. */
export async function takeTry(house: House, halfToken: string): Promise<Half> {
  const half = await maybeOne(
    house.database.db,
    sql<Half>`
    update half_sign_ins set tries = tries + 1
    where token_hash = ${hashOf(halfToken)} and expires_at > ${house.now()} and tries < ${MOST_TRIES}
    returning person_id as "personId", stay`,
  );
  if (!half) throw new Refusal("gone", "That took too long, or there were too many tries. Please sign in once more.");
  return half;
}
