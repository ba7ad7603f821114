import { describe, expect, test } from "vitest";
import { DAY } from "#platform/clock";
import { run, sql } from "#platform/database";
import { emit } from "#platform/outbox";
import { addBookmark, sendBookmarkReminders } from "#community/discussions";
import {
  acceptFriendRequest,
  sendFriendRequest,
  blockPerson,
  cancelFriendRequest,
  declineFriendRequest,
  removeFriend,
} from "#community/friends";
import {
  approveJoinRequest,
  archiveGroup,
  requestToJoin,
  declineJoinRequest,
  transferOwnership,
  inviteToGroup,
  joinGroup,
  leaveGroup,
  setNotifyLevel,
  setGroupRole,
  withdrawRequest,
} from "#community/groups";
import { addDocument, addComment } from "#community/resources";
import {
  createTestGroup,
  createTestReply,
  setMembership,
  createTestUsers,
} from "../../../../test/support/test-users.ts";
import { getBadges, listNotifications } from "../index.ts";
import { dispatchEvents, listDeliveryRows } from "../../../../test/support/notifications/deliveries.ts";
import {
  database,
  createTestTalk,
  listDeliveries,
  within,
} from "../../../../test/support/notifications/notification-setup.ts";

describe("friend", () => {
  test("request notifies its recipient until answered, and an acceptance notifies its sender", async () => {
    const { mira, tomas, noor } = await createTestUsers(database);
    await within((tx) => sendFriendRequest(tx, mira, { personId: tomas.id, note: "" }));
    await within((tx) => sendFriendRequest(tx, noor, { personId: tomas.id, note: "" }));
    await dispatchEvents(database);
    expect(await listDeliveries(tomas)).toEqual(["friend_request asked_you", "friend_request asked_you"]);
    await within((tx) => acceptFriendRequest(tx, tomas, { personId: mira.id }));
    await within((tx) => declineFriendRequest(tx, tomas, { personId: noor.id }));
    await dispatchEvents(database);
    expect(await listDeliveries(tomas)).toEqual([
      "friend_request asked_you read",
      "friend_request asked_you read",
    ]);
    expect(await listDeliveries(mira)).toEqual(["friend_accepted you_asked"]);
    expect(await listDeliveries(noor)).toEqual([]);
    await within((tx) => removeFriend(tx, tomas, { personId: mira.id }));
    await dispatchEvents(database);
    expect(await listDeliveries(mira)).toEqual(["friend_accepted you_asked withdrawn"]);
  });

  test("request that is withdrawn and repeated notifies only once a day", async () => {
    const { mira, tomas } = await createTestUsers(database);
    const ask = async () => {
      await within((tx) => sendFriendRequest(tx, mira, { personId: tomas.id, note: "" }));
      await dispatchEvents(database);
    };
    const cancel = async () => {
      await within((tx) => cancelFriendRequest(tx, mira, { personId: tomas.id }));
      await dispatchEvents(database);
    };
    await ask();
    await cancel();
    await ask();
    expect(await listDeliveries(tomas)).toEqual(["friend_request asked_you withdrawn"]);
    expect(await getBadges(database.db, tomas)).toMatchObject({ friendRequests: 1 });
    await cancel();
    database.clock.pass(DAY);
    await ask();
    expect((await listDeliveries(tomas)).toSorted()).toEqual([
      "friend_request asked_you",
      "friend_request asked_you withdrawn",
    ]);
  });

  test("request that is cancelled or ended by a block has its notification withdrawn", async () => {
    const { mira, tomas, noor } = await createTestUsers(database);
    for (const viewer of [mira, noor])
      await within((tx) => sendFriendRequest(tx, viewer, { personId: tomas.id, note: "" }));
    await dispatchEvents(database);
    await within((tx) => cancelFriendRequest(tx, mira, { personId: tomas.id }));
    await within((tx) => blockPerson(tx, tomas, { personId: noor.id }));
    await dispatchEvents(database);
    expect(await listDeliveries(tomas)).toEqual([
      "friend_request asked_you withdrawn",
      "friend_request asked_you withdrawn",
    ]);
  });
});

describe("group", () => {
  test("shows an invited person the notification of the invitation until they join", async () => {
    const people = await createTestUsers(database);
    const { tomas, mira, noor } = people;
    const group = await createTestGroup(database, people);
    await within((tx) => inviteToGroup(tx, tomas, { groupId: group.id, personId: noor.id }));
    await dispatchEvents(database);
    expect([await listDeliveries(noor), await listDeliveries(mira)]).toEqual([
      ["group_invitation invited_you"],
      [],
    ]);
    await within((tx) => joinGroup(tx, noor, { groupId: group.id }));
    await dispatchEvents(database);
    expect(await listDeliveries(noor)).toEqual(["group_invitation invited_you read"]);
  });

  test("join request notifies moderators, and the decision notifies the requester", async () => {
    const people = await createTestUsers(database);
    const { tomas, mira, noor, ines, ada } = people;
    const group = await createTestGroup(database, people, { visibility: "private" });
    for (const viewer of [noor, ines, ada])
      await within((tx) => requestToJoin(tx, viewer, { groupId: group.id, answers: [] }));
    await dispatchEvents(database);
    expect(await listDeliveries(tomas)).toEqual(["group_request you_lead ×3"]);
    expect(await listDeliveries(mira)).toEqual([]);
    await within((tx) => approveJoinRequest(tx, tomas, { groupId: group.id, personId: noor.id }));
    await within((tx) =>
      declineJoinRequest(tx, tomas, { groupId: group.id, personId: ines.id, reason: "Full." }),
    );
    await dispatchEvents(database);
    expect(await listDeliveries(tomas)).toEqual(["group_request you_lead ×3"]);
    await within((tx) => withdrawRequest(tx, ada, { groupId: group.id }));
    await dispatchEvents(database);
    expect(await listDeliveries(tomas)).toEqual(["group_request you_lead read ×3"]);
    const answers = await Promise.all([noor, ines].map((viewer) => listDeliveryRows(database, viewer)));
    expect(answers.map((rows) => rows.map((it) => [it.kind, it.detail, it.actors]))).toEqual([
      [["group_decision", "join_approved", []]],
      [["group_decision", "declined", []]],
    ]);
  });

  test("notifies the holder of a new role, and notifies members of archiving unless they muted the group", async () => {
    const people = await createTestUsers(database);
    const { tomas, mira, noor } = people;
    const group = await createTestGroup(database, people);
    await within((tx) => setMembership(tx, group.id, noor, "member"));
    await within((tx) => setNotifyLevel(tx, noor, { groupId: group.id, level: "mute" }));
    await within((tx) =>
      setGroupRole(tx, tomas, { groupId: group.id, personId: mira.id, role: "moderator" }),
    );
    await within((tx) => archiveGroup(tx, tomas, { groupId: group.id, reason: "" }));
    await dispatchEvents(database);
    expect((await listDeliveryRows(database, mira)).map((it) => [it.kind, it.detail])).toEqual([
      ["group_archived", ""],
      ["group_role", "moderator"],
    ]);
    expect([await listDeliveries(tomas), await listDeliveries(noor)]).toEqual([[], []]);
    await within((tx) => leaveGroup(tx, mira, { groupId: group.id }));
    await dispatchEvents(database);
    expect(await listDeliveries(mira)).toEqual(["group_archived member", "group_role member"]);
  });

  test("decisions and join requests notify even across a block", async () => {
    const people = await createTestUsers(database);
    const { tomas, mira, noor } = people;
    const group = await createTestGroup(database, people, { visibility: "private" });
    await within((tx) => blockPerson(tx, mira, { personId: tomas.id }));
    await within((tx) => blockPerson(tx, noor, { personId: tomas.id }));
    await within((tx) => requestToJoin(tx, noor, { groupId: group.id, answers: [] }));
    await dispatchEvents(database);
    expect(await listDeliveries(tomas)).toEqual(["group_request you_lead"]);
    await within((tx) =>
      setGroupRole(tx, tomas, { groupId: group.id, personId: mira.id, role: "moderator" }),
    );
    await within((tx) => archiveGroup(tx, tomas, { groupId: group.id, reason: "" }));
    await dispatchEvents(database);
    expect((await listDeliveries(mira)).toSorted()).toEqual(["group_archived member", "group_role member"]);
    expect((await listNotifications(database.db, tomas, { tab: "all" })).rows).toMatchObject([
      { kind: "group_request", actors: [] },
    ]);
    expect(await getBadges(database.db, tomas)).toMatchObject({ notifications: 1, requestsToDecide: 1 });
  });

  test("ownership transfer notifies only the new owner", async () => {
    const people = await createTestUsers(database);
    const group = await createTestGroup(database, people);
    await within((tx) =>
      transferOwnership(tx, people.tomas, { groupId: group.id, personId: people.mira.id }),
    );
    await dispatchEvents(database);
    expect([await listDeliveries(people.tomas), await listDeliveries(people.mira)]).toEqual([
      [],
      ["group_role member"],
    ]);
  });
});

describe("personal notifications", () => {
  test("include comments on the owner's resource", async () => {
    const { mira, tomas } = await createTestUsers(database);
    const about = { body: "Open.", why: "", tags: [], language: "en", licence: "" };
    const { id } = await within((tx) => addDocument(tx, mira, { title: "For everybody", ...about }));
    await within((tx) => addComment(tx, tomas, { resourceId: id, body: "Good." }));
    await within((tx) => addComment(tx, mira, { resourceId: id, body: "Thanks." }));
    await dispatchEvents(database);
    expect([await listDeliveries(mira), await listDeliveries(tomas)]).toEqual([["comment you_keep"], []]);
  });

  test("include a bookmark reminder at each time that was set", async () => {
    const { noor, discussion } = await createTestTalk();
    const keep = (minutes: number) =>
      within((tx) =>
        addBookmark(tx, noor, {
          postId: discussion.postId,
          note: "",
          remindAt: new Date(database.clock.at.getTime() + minutes * 60_000),
        }),
      );
    await keep(5);
    await within(sendBookmarkReminders);
    await dispatchEvents(database);
    expect(await listDeliveries(noor)).toEqual([]);
    for (const _ of [1, 2]) {
      database.clock.pass(10 * 60_000);
      await within(sendBookmarkReminders);
      await dispatchEvents(database);
      await keep(5);
    }
    expect(await listDeliveries(noor)).toEqual(["bookmark you_set ×2"]);
  });

  test("include account security events, but not by notification mail", async () => {
    const { mira, tomas } = await createTestUsers(database);
    await within((tx) => emit(tx, { type: "person.security", personId: mira.id, what: "newDevice" }));
    await dispatchEvents(database);
    expect(await listDeliveryRows(database, mira)).toMatchObject([
      { kind: "security", detail: "newDevice", mailAt: null },
    ]);
    expect(await listDeliveries(tomas)).toEqual([]);
  });

  test("never reach closed accounts", async () => {
    const { mira, tomas, discussion } = await createTestTalk();
    await within((tx) => run(tx, sql`update people set state = 'suspended' where id = ${mira.id}`));
    await createTestReply(database, tomas, discussion.id);
    await dispatchEvents(database);
    expect(await listDeliveries(mira)).toEqual([]);
  });
});
