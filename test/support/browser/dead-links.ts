import { addLink, NewLink } from "#community/resources";
import type { SignedIn } from "#community/rules";
import { type Database, run, sql } from "#platform/database";

/** Links that have failed for a week: one for each browser project, because both projects use one server. */
export const DEAD_LINKS = { scripts: "Seed lists of the valley", noScripts: "Tool lists of the valley" };

export async function createDeadLinks({ inTransaction }: Database, owner: SignedIn): Promise<void> {
  for (const [n, title] of Object.values(DEAD_LINKS).entries())
    await inTransaction(async (tx) => {
      const { id } = await addLink(
        tx,
        owner,
        NewLink.parse({ url: `https://gone-${n}.example/lists`, title, why: "", tags: "" }),
      );
      await run(tx, sql`update resources set health = 'dead' where id = ${id}`);
    });
}
