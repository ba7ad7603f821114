import { maybeOne, run, sql, type Tx } from "#platform/database";
import { announce } from "#platform/outbox";

/** The same for whom somebody established has asked in by name: who vouches, has to be that at this moment. */
export async function vouchFor(tx: Tx, personId: string, byId: string): Promise<void> {
  const by = await maybeOne(
    tx,
    sql`select from people where id = ${byId} and state = 'active' and (trust = 'established' or site_role <> 'member')`,
  );
  if (by) await establish(tx, personId);
}

/** Somebody new has been around long enough. Whose account is limited stays new for as long. Once is enough. */
export async function establish(tx: Tx, personId: string): Promise<void> {
  const changed = await run(tx, sql`update people set trust = 'established' where id = ${personId} and trust = 'new' and state = 'active'`);
  if (changed > 0) await announce(tx, { type: "person.established", personId });
}
