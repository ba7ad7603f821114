import { addLink, NewLink } from "#community/resources";
import type { SignedIn } from "#community/rules";
import { type Database, run, sql } from "#platform/database";

/** Title of a link that has failed for a week. */
export const DEAD_LINK = "Seed lists of the valley";

export async function createDeadLink({ inTransaction }: Database, owner: SignedIn): Promise<void> {
  await inTransaction(async (tx) => {
    const link = NewLink.parse({ url: "https://gone.example/lists", title: DEAD_LINK, why: "", tags: "" });
    const { id } = await addLink(tx, owner, link);
    await run(tx, sql`update resources set health = 'dead' where id = ${id}`);
  });
}
