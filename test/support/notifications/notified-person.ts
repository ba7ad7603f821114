import { addReaction } from "#community/discussions";
import { sendFriendRequest } from "#community/friends";
import { getBadges, listNotifications } from "#community/notifications";
import type { NotificationTab } from "#community/rules";
import type { TestDatabase } from "../setup/test-database.ts";
import {
  createTestDiscussion,
  createTestGroup,
  createTestReply,
  createTestUsers,
  setMembership,
} from "../test-users.ts";
import { dispatchEvents } from "./deliveries.ts";

/** Creates Mira's discussion with replies by Tomas and Noor, a reaction, and a friend request. */
export async function setupNotifiedPerson(database: TestDatabase) {
  const { db, inTransaction: within } = database;
  const people = await createTestUsers(database);
  const { mira, tomas, noor } = people;
  const group = await createTestGroup(database, people);
  await within((tx) => setMembership(tx, group.id, noor, "member"));
  const discussion = await createTestDiscussion(database, mira, group.id);
  await createTestReply(database, tomas, discussion.id);
  await createTestReply(database, noor, discussion.id);
  await within((tx) => addReaction(tx, tomas, { postId: discussion.postId, emoji: "👍" }));
  await dispatchEvents(database);
  database.clock.pass(1_000);
  await within((tx) => sendFriendRequest(tx, noor, { personId: mira.id, note: "" }));
  await dispatchEvents(database);
  const list = async (tab: NotificationTab = "all") => (await listNotifications(db, mira, { tab })).rows;
  const bell = async () => (await getBadges(db, mira)).notifications;
  return { ...people, group, discussion, list, bell };
}
