import { run, sql, type Tx } from "#platform/database";
import { announce } from "#platform/outbox";

/** Somebody new has been around long enough. Whose account is limited stays new for as long. Once is enough. */
export async function establish(tx: Tx, personId: string): Promise<void> {
  const changed = await run(tx, sql`update people set trust = 'established' where id = ${personId} and trust = 'new' and state = 'active'`);
  if (changed > 0) await announce(tx, { type: "person.established", personId });
}
