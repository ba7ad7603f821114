import { run, sql } from "#platform/database";
import type { SignedIn } from "#community/rules";
import {
  createTestDiscussion,
  createTestGroup,
  createTestReply,
  setMembership,
  createTestUsers,
  createPerson,
} from "../test-users.ts";
import type { TestDatabase } from "../setup/test-database.ts";

/** A community with the default rate limits. */
export function createRateLimitSetup(database: TestDatabase) {
  const { db, inTransaction: within } = database;
  /** Sets the default limits. Creates a discussion started by Tomas, and a person who registered today. */
  async function setting() {
    const people = await createTestUsers(database);
    await run(db, sql`delete from settings where key = 'writingLimits'`);
    const group = await createTestGroup(database, people);
    const { id } = await createTestDiscussion(database, people.tomas, group.id);
    const [newcomer, second] = await within(async (tx) => {
      const both = [await createPerson(tx, "new-here", "member", "new"), await createPerson(tx, "hana")];
      for (const who of both) await setMembership(tx, group.id, who, "member");
      return both as [SignedIn, SignedIn];
    });
    const reply = (who: SignedIn, to = id) => createTestReply(database, who, to);
    return { ...people, group, id, newcomer, second, reply };
  }
  const TOO_MANY = { reason: "too-many" };
  return { setting, TOO_MANY };
}
