import { maybeOne, run, sql, type Tx } from "#platform/database";
import { emit } from "#platform/outbox";

/** Marks an invited person as established if the inviter is an established member or staff now. */
export async function establishInvitee(tx: Tx, personId: string, byId: string): Promise<void> {
  const by = await maybeOne(
    tx,
    sql`select from people where id = ${byId} and state = 'active'
      and (trust = 'established' or site_role <> 'member')`,
  );
  if (by) await markEstablished(tx, personId);
}

/** Makes a new person established, once. Limited accounts stay new. */
export async function markEstablished(tx: Tx, personId: string): Promise<void> {
  const changed = await run(
    tx,
    sql`update people set trust = 'established'
      where id = ${personId} and trust = 'new' and state = 'active'`,
  );
  if (changed > 0) await emit(tx, { type: "person.established", personId });
}
