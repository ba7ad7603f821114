import { DAY } from "#platform/clock";
import { type Database, run, sql } from "#platform/database";
import { hashSecret } from "#platform/ids";
import type { Viewer } from "#community/rules";

/** Starts sessions of the web interface whose tokens are these names. */
export async function startNamedSessions(
  { inTransaction }: Pick<Database, "inTransaction">,
  people: Record<string, Viewer>,
): Promise<void> {
  const named = Object.entries(people).filter(([, { id }]) => id !== null);
  await inTransaction(async (tx) => {
    for (const [name, { id }] of named)
      await run(
        tx,
        sql`insert into sessions (id, token_hash, person_id, kind, stay, created_at, seen_at, expires_at)
            values (${tx.newId()}, ${hashSecret(name)}, ${id}, 'web', true, ${tx.now}, ${tx.now},
              ${new Date(tx.now.getTime() + 365 * DAY)})
            on conflict do nothing`,
      );
  });
}
