import { describe, expect, test } from "vitest";
import { run, sql } from "#platform/database";
import { leaveGroup, removeMember, updateGroup } from "#community/groups";
import type { SignedIn } from "#community/rules";
import {
  createTestDiscussion,
  createTestGroup,
  createTestReply,
  setMembership,
  createTestUsers,
} from "../../../../test/support/test-users.ts";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import {
  getDiscussion,
  editPost,
  lockDiscussion,
  NewDiscussion,
  addReaction,
  reply,
  startDiscussion,
  listUnreadAndLatest,
} from "../index.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;

/** A public group of Mira and Tomas (its owner) that lets readers reply. */
async function scene(repliesBy: "members" | "readers" = "readers") {
  const people = await createTestUsers(database);
  const group = await createTestGroup(database, people);
  await within((tx) => updateGroup(tx, people.tomas, { groupId: group.id, repliesBy }));
  const discussion = await createTestDiscussion(database, people.mira, group.id);
  const answers = (viewer: SignedIn) =>
    within((tx) => reply(tx, viewer, { discussionId: discussion.id, body: "May I?" }));
  return { ...people, group, discussion, answers };
}
const refused = { reason: "not-allowed" };

describe("public group that lets readers reply", () => {
  test("lets a signed-in reader reply, react and edit without becoming a member", async () => {
    const { noor, discussion, answers } = await scene();
    const { id } = await answers(noor);
    await within((tx) => addReaction(tx, noor, { postId: discussion.postId, emoji: "👍" }));
    await within((tx) => editPost(tx, noor, { postId: id, body: "May I, please?", version: 1 }));
    expect((await getDiscussion(db, noor, discussion.id)).group.viewerState).toBeNull();
  });

  test("shows a reader new replies in their unread list", async () => {
    const { mira, noor, discussion, answers } = await scene();
    await answers(noor);
    database.clock.pass(60_000);
    await createTestReply(database, mira, discussion.id);
    expect((await listUnreadAndLatest(db, noor)).unread).toMatchObject([{ id: discussion.id, unread: 1 }]);
  });

  test("refuses banned, limited and guest readers", async () => {
    const { tomas, mira, noor, ines, guest, group, discussion, answers } = await scene();
    await within((tx) => setMembership(tx, group.id, ines, "banned"));
    await expect(answers(ines)).rejects.toMatchObject({ reason: "not-found" });
    await expect(answers({ ...noor, limited: true })).rejects.toMatchObject(refused);
    await expect(
      within((tx) => reply(tx, guest, { discussionId: discussion.id, body: "May I?" })),
    ).rejects.toMatchObject({
      reason: "not-signed-in",
    });
    await within((tx) => lockDiscussion(tx, tomas, { discussionId: discussion.id, reason: "Enough." }));
    await expect(answers(noor)).rejects.toMatchObject({
      ...refused,
      message: "This discussion is closed for replies.",
    });
    const among = await createTestDiscussion(database, mira, group.id);
    await run(db, sql`update discussions set audience = 'members' where id = ${among.id}`);
    await expect(
      within((tx) => reply(tx, noor, { discussionId: among.id, body: "May I?" })),
    ).rejects.toMatchObject({
      reason: "not-found",
    });
  });

  test("lets readers start no discussions, and accepts no replies after the setting is turned off", async () => {
    const { tomas, noor, group, answers } = await scene();
    const begins = NewDiscussion.parse({ groupId: group.id, title: "A thing of mine", body: "Look." });
    await expect(within((tx) => startDiscussion(tx, noor, begins))).rejects.toMatchObject(refused);
    await answers(noor);
    await within((tx) => updateGroup(tx, tomas, { groupId: group.id, repliesBy: "members" }));
    await expect(answers(noor)).rejects.toMatchObject({ ...refused, message: "Join the group to reply." });
    await within((tx) =>
      updateGroup(tx, tomas, { groupId: group.id, repliesBy: "readers", visibility: "private" }),
    );
    await expect(answers(noor)).rejects.toMatchObject({ reason: "not-found" });
  });

  test("lets former and removed members reply like any reader", async () => {
    const { tomas, mira, noor, group, answers } = await scene();
    await within((tx) => setMembership(tx, group.id, noor, "member"));
    await within((tx) =>
      removeMember(tx, tomas, { groupId: group.id, personId: noor.id, reason: "Rest a while." }),
    );
    await within((tx) => leaveGroup(tx, mira, { groupId: group.id }));
    for (const viewer of [noor, mira])
      expect(await answers(viewer)).toMatchObject({ number: expect.any(Number) });
  });
});

test("a group without reader replies refuses non-members, and only moderators change that", async () => {
  const { mira, noor, group, answers } = await scene("members");
  await expect(answers(noor)).rejects.toMatchObject(refused);
  await expect(
    within((tx) => updateGroup(tx, mira, { groupId: group.id, repliesBy: "readers" })),
  ).rejects.toMatchObject(refused);
});
