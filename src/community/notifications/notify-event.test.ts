import { describe, expect, test } from "vitest";
import { run, sql } from "#platform/database";
import {
  acceptConversation,
  markConversationRead,
  muteConversation,
  sendMessage,
  startConversation,
} from "#community/conversations";
import {
  deleteDiscussion,
  deletePost,
  editPost,
  markRead,
  mergeDiscussion,
  addReaction,
  removeReaction,
} from "#community/discussions";
import { acceptFriendRequest, sendFriendRequest, blockPerson, mutePerson } from "#community/friends";
import { requestToJoin, removeMember, setNotifyLevel } from "#community/groups";
import type { SignedIn } from "#community/rules";
import {
  createTestDiscussion,
  createTestReply,
  setMembership,
  createTestUsers,
  createPerson,
} from "../../../test/support/test-users.ts";
import {
  dispatchEvents,
  redispatchEvents,
  listDeliveryRows,
} from "../../../test/support/notifications/deliveries.ts";
import {
  database,
  setTestFollowLevel,
  createTestTalk,
  listDeliveries,
  within,
} from "../../../test/support/notifications/notification-setup.ts";

describe("reply", () => {
  test("notifies the author replied to and the starter of the discussion, but no other members", async () => {
    const { mira, tomas, noor, ines, discussion } = await createTestTalk();
    const first = await createTestReply(database, tomas, discussion.id);
    await createTestReply(database, noor, discussion.id, { replyTo: first.id });
    await dispatchEvents(database);
    expect(await listDeliveries(mira)).toEqual(["reply you_started ×2"]);
    expect(await listDeliveries(tomas)).toEqual(["reply you_wrote"]);
    expect([await listDeliveries(noor), await listDeliveries(ines)]).toEqual([[], []]);
    const [row] = await listDeliveryRows(database, mira);
    expect(row).toMatchObject({ actors: [noor.id, tomas.id], objectId: discussion.id });
  });

  test("notifies people who watch the discussion or group, if they can read it", async () => {
    const { mira, tomas, noor, ines, group, discussion } = await createTestTalk("private");
    const [all, muted, tracking, mutedGroup] = await within(async (tx) => {
      const followers: SignedIn[] = [];
      for (const name of ["berta", "carla", "dora", "edda"]) followers.push(await createPerson(tx, name));
      for (const viewer of followers) await setMembership(tx, group.id, viewer, "member");
      return followers as [SignedIn, SignedIn, SignedIn, SignedIn];
    });
    for (const viewer of [all, muted])
      await within((tx) => setNotifyLevel(tx, viewer, { groupId: group.id, level: "all" }));
    await within((tx) => setNotifyLevel(tx, mutedGroup, { groupId: group.id, level: "mute" }));
    await setTestFollowLevel(noor, discussion.id, "watching");
    await setTestFollowLevel(muted, discussion.id, "muted");
    await setTestFollowLevel(tracking, discussion.id, "tracking");
    await setTestFollowLevel(mutedGroup, discussion.id, "tracking");
    // Ines watched the discussion as a member and has left the group.
    await within((tx) => setMembership(tx, group.id, ines, "member"));
    await setTestFollowLevel(ines, discussion.id, "watching");
    await within((tx) => setMembership(tx, group.id, ines, "left"));
    await createTestReply(database, tomas, discussion.id, { body: "Listen, @edda and @carla." });
    await dispatchEvents(database);
    expect(await listDeliveries(noor)).toEqual(["new_reply watching"]);
    expect(await listDeliveries(all)).toEqual(["new_reply group_all"]);
    for (const viewer of [muted, tracking, mutedGroup, ines, tomas])
      expect(await listDeliveries(viewer)).toEqual([]);
    expect(await listDeliveries(mira)).toEqual(["reply you_started"]);
  });

  test("notifies each person once, for the most direct reason, even if the event is dispatched again", async () => {
    const { mira, noor, discussion } = await createTestTalk();
    await setTestFollowLevel(noor, discussion.id, "watching");
    const own = await createTestReply(database, noor, discussion.id);
    await createTestReply(database, mira, discussion.id, { body: "Yes, @noor.", replyTo: own.id });
    await dispatchEvents(database);
    expect(await listDeliveries(noor)).toEqual(["mention mentioned"]);
    await redispatchEvents(database);
    expect(await listDeliveries(noor)).toEqual(["mention mentioned"]);
    await within((tx) => markRead(tx, noor, { discussionId: discussion.id, upTo: 9 }));
    await dispatchEvents(database);
    await redispatchEvents(database);
    expect(await listDeliveries(noor)).toEqual(["mention mentioned read"]);
  });

  test("skips people who have read it and people across a block", async () => {
    const { mira, tomas, noor, discussion } = await createTestTalk();
    await setTestFollowLevel(noor, discussion.id, "watching");
    await createTestReply(database, tomas, discussion.id);
    await within((tx) => markRead(tx, noor, { discussionId: discussion.id, upTo: 2 }));
    await dispatchEvents(database);
    expect(await listDeliveries(noor)).toEqual([]);
    await within((tx) => blockPerson(tx, mira, { personId: noor.id }));
    await createTestReply(database, noor, discussion.id);
    await dispatchEvents(database);
    expect(await listDeliveries(mira)).toEqual(["reply you_started"]);
    expect((await listDeliveryRows(database, mira))[0]!.actors).toEqual([tomas.id]);
  });

  test("skips people who muted its author, except where they must act as moderators", async () => {
    const { mira, tomas, noor, ines, group, discussion } = await createTestTalk("private");
    await within((tx) => mutePerson(tx, mira, { personId: noor.id, until: null }));
    await within((tx) => mutePerson(tx, tomas, { personId: ines.id, until: null }));
    await createTestReply(database, noor, discussion.id, { body: "Hello, @mira and @tomas." });
    await within((tx) => requestToJoin(tx, ines, { groupId: group.id, answers: [] }));
    await dispatchEvents(database);
    expect(await listDeliveries(mira)).toEqual([]);
    expect(await listDeliveries(tomas)).toEqual(["group_request you_lead", "mention mentioned"]);
  });

  test("has its notification cleared when the read position reaches it", async () => {
    const { mira, tomas, noor, discussion } = await createTestTalk();
    await createTestReply(database, tomas, discussion.id);
    await dispatchEvents(database);
    await within((tx) => markRead(tx, mira, { discussionId: discussion.id, upTo: 1 }));
    await dispatchEvents(database);
    expect(await listDeliveries(mira)).toEqual(["reply you_started"]);
    await within((tx) => markRead(tx, mira, { discussionId: discussion.id, upTo: 2 }));
    await dispatchEvents(database);
    await createTestReply(database, noor, discussion.id);
    await dispatchEvents(database);
    expect(await listDeliveries(mira)).toEqual(["reply you_started read", "reply you_started"]);
  });

  test("has its notification withdrawn when its post, its discussion or the membership is removed", async () => {
    const { mira, tomas, noor, ada, group, discussion } = await createTestTalk("private");
    await setTestFollowLevel(noor, discussion.id, "watching");
    const post = await createTestReply(database, tomas, discussion.id);
    await dispatchEvents(database);
    await within((tx) => deletePost(tx, tomas, { postId: post.id, reason: "" }));
    await dispatchEvents(database);
    expect(await listDeliveries(mira)).toEqual(["reply you_started withdrawn"]);
    await createTestReply(database, tomas, discussion.id);
    await dispatchEvents(database);
    await within((tx) => removeMember(tx, tomas, { groupId: group.id, personId: noor.id, reason: "No." }));
    await dispatchEvents(database);
    expect((await listDeliveries(noor)).filter((it) => !it.endsWith("withdrawn"))).toEqual([
      "group_decision about_you",
    ]);
    expect(await listDeliveries(mira)).toEqual(["reply you_started withdrawn", "reply you_started"]);
    await within((tx) => deleteDiscussion(tx, tomas, { discussionId: discussion.id, reason: "Gone." }));
    await dispatchEvents(database);
    // The deletion itself is still notified.
    expect((await listDeliveries(mira)).filter((it) => !it.endsWith("withdrawn"))).toEqual([
      "post_removed your_post",
    ]);
    expect(await listDeliveries(ada)).toEqual([]);
  });

  test("moves its notification when it is merged into another discussion", async () => {
    const { mira, tomas, group, discussion } = await createTestTalk();
    const other = await createTestDiscussion(database, tomas, group.id, { title: "Another one" });
    await createTestReply(database, tomas, discussion.id);
    await dispatchEvents(database);
    await within((tx) =>
      mergeDiscussion(tx, tomas, {
        discussionId: discussion.id,
        into: other.id,
        visibility: "public",
        reason: "The same.",
      }),
    );
    await dispatchEvents(database);
    expect((await listDeliveryRows(database, mira)).map((it) => [it.objectId, it.withdrawn])).toEqual([
      [other.id, false],
    ]);
  });
});

describe("mention", () => {
  test("notifies a person or a group's members once, even if an edit adds another mention", async () => {
    const { mira, tomas, noor, group, discussion } = await createTestTalk();
    const post = await createTestReply(database, tomas, discussion.id, {
      body: `Dear @${group.slug}, and @mira.`,
    });
    await dispatchEvents(database);
    expect(await listDeliveries(noor)).toEqual(["mention group_mentioned"]);
    expect(await listDeliveries(mira)).toEqual(["mention mentioned"]);
    await within((tx) =>
      editPost(tx, tomas, {
        postId: post.id,
        body: `Dear @${group.slug}, and @mira, @ines, @noor.`,
        version: 1,
      }),
    );
    await dispatchEvents(database);
    expect(await listDeliveries(noor)).toEqual(["mention group_mentioned"]);
  });
});

describe("new discussion", () => {
  test("notifies only people who watch the group", async () => {
    const { mira, tomas, noor, group } = await createTestTalk();
    await within((tx) => setNotifyLevel(tx, noor, { groupId: group.id, level: "all" }));
    await createTestDiscussion(database, tomas, group.id, { title: "Something new" });
    await dispatchEvents(database);
    expect(await listDeliveries(noor)).toEqual(["new_discussion group_all"]);
    expect(await listDeliveries(mira)).toEqual([]);
  });
});

describe("reaction", () => {
  test("notifies the post's author once per person, and never by mail", async () => {
    const { mira, tomas, noor, discussion } = await createTestTalk();
    const it = { postId: discussion.postId, emoji: "👍" };
    await within((tx) => addReaction(tx, tomas, it));
    await within((tx) => addReaction(tx, mira, it));
    await dispatchEvents(database);
    await within((tx) => removeReaction(tx, tomas, it));
    await within((tx) => addReaction(tx, tomas, it));
    await within((tx) => addReaction(tx, noor, it));
    await dispatchEvents(database);
    expect(await listDeliveries(mira)).toEqual(["reaction your_post ×2"]);
    expect((await listDeliveryRows(database, mira))[0]).toMatchObject({
      mailAt: null,
      actors: [noor.id, tomas.id],
    });
    expect(await listDeliveries(tomas)).toEqual([]);
  });
});

describe("message", () => {
  test("notifies other participants unless they muted the conversation", async () => {
    const { mira, tomas, noor } = await createTestUsers(database);
    await within((tx) =>
      run(tx, sql`update people set privacy = '{"messages":"everyone"}' where id = ${noor.id}`),
    );
    await within((tx) => sendFriendRequest(tx, mira, { personId: tomas.id, note: "" }));
    await within((tx) => acceptFriendRequest(tx, tomas, { personId: mira.id }));
    await dispatchEvents(database);
    const { id } = await within((tx) =>
      startConversation(tx, mira, { to: ["tomas"], name: "", body: "A word?" }),
    );
    await within((tx) => sendMessage(tx, mira, { conversationId: id, body: "Or two." }));
    const request = await within((tx) =>
      startConversation(tx, mira, { to: ["noor"], name: "", body: "Hello." }),
    );
    await dispatchEvents(database);
    expect(await listDeliveries(tomas)).toContain("message participant ×2");
    expect(await listDeliveries(noor)).toEqual(["message_request participant"]);
    expect(await listDeliveries(mira)).toEqual(["friend_accepted you_asked"]);
    await within((tx) => markConversationRead(tx, tomas, { conversationId: id, upTo: 2 }));
    await within((tx) => acceptConversation(tx, noor, { conversationId: request.id }));
    await dispatchEvents(database);
    expect(await listDeliveries(tomas)).toContain("message participant read ×2");
    expect(await listDeliveries(noor)).toEqual(["message_request participant read"]);
    await within((tx) =>
      muteConversation(tx, tomas, {
        conversationId: id,
        until: new Date(database.clock.at.getTime() + 3_600_000),
      }),
    );
    await within((tx) => sendMessage(tx, mira, { conversationId: id, body: "Still there?" }));
    await dispatchEvents(database);
    expect((await listDeliveries(tomas)).filter((it) => it.startsWith("message"))).toEqual([
      "message participant read ×2",
    ]);
  });

  test("notifies an invited person only once until they accept the group conversation", async () => {
    const { mira, tomas, noor } = await createTestUsers(database);
    await within((tx) =>
      run(tx, sql`update people set privacy = '{"messages":"everyone"}' where id = ${noor.id}`),
    );
    await within((tx) => sendFriendRequest(tx, mira, { personId: tomas.id, note: "" }));
    await within((tx) => acceptFriendRequest(tx, tomas, { personId: mira.id }));
    const { id } = await within((tx) =>
      startConversation(tx, mira, { to: ["tomas", "noor"], name: "", body: "Hello." }),
    );
    for (const viewer of [mira, tomas, mira])
      await within((tx) => sendMessage(tx, viewer, { conversationId: id, body: "Noor!" }));
    await dispatchEvents(database);
    expect(await listDeliveries(noor)).toEqual(["message_request participant"]);
    await within((tx) => acceptConversation(tx, noor, { conversationId: id }));
    await within((tx) => sendMessage(tx, mira, { conversationId: id, body: "You are here." }));
    await dispatchEvents(database);
    expect((await listDeliveries(noor)).toSorted()).toEqual([
      "message participant",
      "message_request participant read",
    ]);
  });
});
