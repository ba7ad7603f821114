import { maybeOne, run, sql, type Tx } from "#platform/database";
import { announce } from "#platform/outbox";

/**
 * Makes a person established whom an established person invited by name; the inviter must be established now.
 */
export async function vouchFor(tx: Tx, personId: string, byId: string): Promise<void> {
  const by = await maybeOne(
    tx,
    sql`select from people where id = ${byId} and state = 'active' and (trust = 'established' or site_role <> 'member')`,
  );
  if (by) await establish(tx, personId);
}

/** Makes a new person established, once. Limited accounts stay new. */
export async function establish(tx: Tx, personId: string): Promise<void> {
  const changed = await run(tx, sql`update people set trust = 'established' where id = ${personId} and trust = 'new' and state = 'active'`);
  if (changed > 0) await announce(tx, { type: "person.established", personId });
}
