import { type FollowLevel, setFollowLevel } from "#community/discussions";
import type { SignedIn } from "#community/rules";
import { createTestDiscussion, createTestGroup, setMembership, createTestUsers } from "../test-users.ts";
import { testDatabase } from "../setup/test-database.ts";
import { dispatchEvents, describeDeliveries } from "./deliveries.ts";

export const database = await testDatabase();
export const { inTransaction: within } = database;
export const listDeliveries = (who: { id: string }) => describeDeliveries(database, who);
export const setTestFollowLevel = (who: SignedIn, discussionId: string, it: FollowLevel) =>
  within((tx) => setFollowLevel(tx, who, { discussionId, level: it }));

/**
 * Creates a group owned by Tomas, of which Noor is a member too, and a discussion started by Mira. No
 * notifications exist yet.
 */
export async function createTestTalk(visibility: "public" | "private" = "public") {
  const people = await createTestUsers(database);
  const group = await createTestGroup(database, people, { visibility });
  await within((tx) => setMembership(tx, group.id, people.noor, "member"));
  const discussion = await createTestDiscussion(database, people.mira, group.id);
  await dispatchEvents(database);
  return { ...people, group, discussion };
}
