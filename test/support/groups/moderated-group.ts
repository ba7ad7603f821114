import { expect } from "vitest";
import type { Reason } from "#platform/refusal";
import { getGroup } from "#community/groups";
import type { SignedIn } from "#community/rules";
import type { TestDatabase } from "../setup/test-database.ts";
import { createPerson, createTestGroup, createTestUsers, setMembership } from "../test-users.ts";

export function createModeratedGroupSetup(database: TestDatabase) {
  const { db, inTransaction: within } = database;
  type Command = Parameters<typeof within>[0];
  const expectRefusal = (command: Command, reason: Reason) =>
    expect(within(command)).rejects.toMatchObject({ reason });

  /** Creates a group that Tomas owns and Lea moderates; Mira is a member, Noor is not. */
  async function setupModeratedGroup(visibility: "public" | "private" | "secret" = "public") {
    const people = await createTestUsers(database);
    const lea = await within((tx) => createPerson(tx, "lea"));
    const group = await createTestGroup(database, people, { visibility });
    await within((tx) => setMembership(tx, group.id, lea, "moderator"));
    const on = (who: SignedIn) => ({ groupId: group.id, personId: who.id });
    const roleOf = async (who: SignedIn) => (await getGroup(db, who, group.id)).viewerRole;
    return { ...people, lea, group, on, roleOf };
  }

  return { expectRefusal, setupModeratedGroup };
}
