import { run, sql } from "#platform/database";
import type { SignedIn } from "#community/rules";
import { aDiscussion, aGroup, aReply, bring, cast, person } from "../../../test/cast.ts";
import type { TestDatabase } from "../../../test/setup/database.ts";

/** A community with the default rate limits. */
export function hurried(database: TestDatabase) {
  const { db, inTransaction: within } = database;
  /** Default limits, a discussion of Tomas's, and a newcomer of today. */
  async function setting() {
    const people = await cast(database);
    await run(db, sql`delete from settings where key = 'writingLimits'`);
    const group = await aGroup(database, people);
    const { id } = await aDiscussion(database, people.tomas, group.id);
    const [newcomer, second] = await within(async (tx) => {
      const both = [await person(tx, "new-here", "member", "new"), await person(tx, "hana")];
      for (const who of both) await bring(tx, group.id, who, "member");
      return both as [SignedIn, SignedIn];
    });
    const reply = (who: SignedIn, to = id) => aReply(database, who, to);
    return { ...people, group, id, newcomer, second, reply };
  }
  const TOO_MANY = { reason: "too-many" };
  return { setting, TOO_MANY };
}
