import { maybeOne, run, sql } from "#platform/database";
import { invalid, Refusal } from "#platform/refusal";
import { storable } from "#community/common";
import type { House } from "./house.ts";
import { type Pending, readPending } from "./pending.ts";
import { JOIN_REASON } from "./welcome.ts";

const waitsUnsaid = sql`state = 'pending_approval' and join_reason = ''`;

/** Returns whether the registration waits for approval without a join reason. */
export async function asksWhy(house: House, sealed: string): Promise<boolean> {
  const pending = readable(house, sealed);
  return (
    pending !== null &&
    (await maybeOne(house.database.db, sql`select from people where id = ${pending.id} and ${waitsUnsaid}`)) !== undefined
  );
}

/**
 * Stores the join reason for the deciders, once.
 * @throws `invalid` on `reason`, `gone` when the registration is no longer pending
 */
export async function sayWhy(house: House, sealed: string, words: string): Promise<void> {
  const { id } = readPending(house, sealed);
  const reason = storable(words).trim();
  if (reason === "") throw invalid("reason", "Tell whoever reads this a little about yourself.");
  if (reason.length > JOIN_REASON) throw invalid("reason", `Please keep it under ${JOIN_REASON} characters.`);
  const said = await house.inTransaction((tx) =>
    run(tx, sql`update people set join_reason = ${reason} where id = ${id} and ${waitsUnsaid}`),
  );
  if (said === 0) throw new Refusal("gone", "This was said already, or your registration has been decided meanwhile.");
}

function readable(house: House, sealed: string): Pending | null {
  try {
    return readPending(house, sealed);
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}
