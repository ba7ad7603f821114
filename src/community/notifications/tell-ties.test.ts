import { describe, expect, test } from "vitest";
import { DAY } from "#platform/clock";
import { run, sql } from "#platform/database";
import { announce } from "#platform/outbox";
import { bookmark, remindOfBookmarks } from "#community/discussions";
import { acceptFriend, askFriend, block, cancelRequest, declineFriend, removeFriend } from "#community/friends";
import {
  admit,
  archiveGroup,
  askToJoin,
  decline,
  handOver,
  inviteToGroup,
  joinGroup,
  leaveGroup,
  setGroupNotices,
  setGroupRole,
  withdrawRequest,
} from "#community/groups";
import { addDocument, comment } from "#community/resources";
import { aGroup, aReply, bring, cast } from "../../../test/cast.ts";
import { badgesFor, notificationsOf } from "./index.ts";
import { carry, rowsFor } from "./told.fixture.ts";
import { database, talk, told, within } from "./tell.fixture.ts";

describe("friends", () => {
  test("a request notifies and clears when answered; acceptance notifies, rejection does not", async () => {
    const { mira, tomas, noor } = await cast(database);
    await within((tx) => askFriend(tx, mira, { personId: tomas.id, note: "" }));
    await within((tx) => askFriend(tx, noor, { personId: tomas.id, note: "" }));
    await carry(database);
    expect(await told(tomas)).toEqual(["friend_request asked_you", "friend_request asked_you"]);
    await within((tx) => acceptFriend(tx, tomas, { personId: mira.id }));
    await within((tx) => declineFriend(tx, tomas, { personId: noor.id }));
    await carry(database);
    expect(await told(tomas)).toEqual(["friend_request asked_you read", "friend_request asked_you read"]);
    expect(await told(mira)).toEqual(["friend_accepted you_asked"]);
    expect(await told(noor)).toEqual([]);
    await within((tx) => removeFriend(tx, tomas, { personId: mira.id }));
    await carry(database);
    expect(await told(mira)).toEqual(["friend_accepted you_asked withdrawn"]);
  });

  test("a request withdrawn and repeated notifies once a day and still awaits an answer", async () => {
    const { mira, tomas } = await cast(database);
    const ask = async () => {
      await within((tx) => askFriend(tx, mira, { personId: tomas.id, note: "" }));
      await carry(database);
    };
    const cancel = async () => {
      await within((tx) => cancelRequest(tx, mira, { personId: tomas.id }));
      await carry(database);
    };
    await ask();
    await cancel();
    await ask();
    expect(await told(tomas)).toEqual(["friend_request asked_you withdrawn"]);
    expect(await badgesFor(database.db, tomas)).toMatchObject({ friendRequests: 1 });
    await cancel();
    database.clock.pass(DAY);
    await ask();
    expect((await told(tomas)).toSorted()).toEqual(["friend_request asked_you", "friend_request asked_you withdrawn"]);
  });

  test("a request that is withdrawn or ends in a block is withdrawn", async () => {
    const { mira, tomas, noor } = await cast(database);
    for (const who of [mira, noor]) await within((tx) => askFriend(tx, who, { personId: tomas.id, note: "" }));
    await carry(database);
    await within((tx) => cancelRequest(tx, mira, { personId: tomas.id }));
    await within((tx) => block(tx, tomas, { personId: noor.id }));
    await carry(database);
    expect(await told(tomas)).toEqual(["friend_request asked_you withdrawn", "friend_request asked_you withdrawn"]);
  });
});

describe("groups", () => {
  test("an invitation notifies the invited person and clears when they join", async () => {
    const people = await cast(database);
    const { tomas, mira, noor } = people;
    const group = await aGroup(database, people);
    await within((tx) => inviteToGroup(tx, tomas, { groupId: group.id, personId: noor.id }));
    await carry(database);
    expect([await told(noor), await told(mira)]).toEqual([["group_invitation invited_you"], []]);
    await within((tx) => joinGroup(tx, noor, { groupId: group.id }));
    await carry(database);
    expect(await told(noor)).toEqual(["group_invitation invited_you read"]);
  });

  test("a join request notifies moderators, and the decision notifies the requester", async () => {
    const people = await cast(database);
    const { tomas, mira, noor, ines, ada } = people;
    const group = await aGroup(database, people, { visibility: "private" });
    for (const who of [noor, ines, ada]) await within((tx) => askToJoin(tx, who, { groupId: group.id, answers: [] }));
    await carry(database);
    expect(await told(tomas)).toEqual(["group_request you_lead ×3"]);
    expect(await told(mira)).toEqual([]);
    await within((tx) => admit(tx, tomas, { groupId: group.id, personId: noor.id }));
    await within((tx) => decline(tx, tomas, { groupId: group.id, personId: ines.id, reason: "Full." }));
    await carry(database);
    expect(await told(tomas)).toEqual(["group_request you_lead ×3"]);
    await within((tx) => withdrawRequest(tx, ada, { groupId: group.id }));
    await carry(database);
    expect(await told(tomas)).toEqual(["group_request you_lead read ×3"]);
    const answers = await Promise.all([noor, ines].map((who) => rowsFor(database, who)));
    expect(answers.map((rows) => rows.map((it) => [it.kind, it.detail, it.actors]))).toEqual([
      [["group_decision", "admitted", []]],
      [["group_decision", "declined", []]],
    ]);
  });

  test("a new role notifies its holder; archiving notifies members except the actor and those who muted the group", async () => {
    const people = await cast(database);
    const { tomas, mira, noor } = people;
    const group = await aGroup(database, people);
    await within((tx) => bring(tx, group.id, noor, "member"));
    await within((tx) => setGroupNotices(tx, noor, { groupId: group.id, level: "mute" }));
    await within((tx) => setGroupRole(tx, tomas, { groupId: group.id, personId: mira.id, role: "moderator" }));
    await within((tx) => archiveGroup(tx, tomas, { groupId: group.id, reason: "" }));
    await carry(database);
    expect((await rowsFor(database, mira)).map((it) => [it.kind, it.detail])).toEqual([
      ["group_archived", ""],
      ["group_role", "moderator"],
    ]);
    expect([await told(tomas), await told(noor)]).toEqual([[], []]);
    await within((tx) => leaveGroup(tx, mira, { groupId: group.id }));
    await carry(database);
    expect(await told(mira)).toEqual(["group_archived member", "group_role member"]);
  });

  test("group decisions and join requests notify despite blocks", async () => {
    const people = await cast(database);
    const { tomas, mira, noor } = people;
    const group = await aGroup(database, people, { visibility: "private" });
    await within((tx) => block(tx, mira, { personId: tomas.id }));
    await within((tx) => block(tx, noor, { personId: tomas.id }));
    await within((tx) => askToJoin(tx, noor, { groupId: group.id, answers: [] }));
    await carry(database);
    expect(await told(tomas)).toEqual(["group_request you_lead"]);
    await within((tx) => setGroupRole(tx, tomas, { groupId: group.id, personId: mira.id, role: "moderator" }));
    await within((tx) => archiveGroup(tx, tomas, { groupId: group.id, reason: "" }));
    await carry(database);
    expect((await told(mira)).toSorted()).toEqual(["group_archived member", "group_role member"]);
    expect((await notificationsOf(database.db, tomas, { tab: "all" })).rows).toMatchObject([{ kind: "group_request", actors: [] }]);
    expect(await badgesFor(database.db, tomas)).toMatchObject({ notifications: 1, requestsToDecide: 1 });
  });

  test("transferring ownership does not notify the actor of their own new role", async () => {
    const people = await cast(database);
    const group = await aGroup(database, people);
    await within((tx) => handOver(tx, people.tomas, { groupId: group.id, personId: people.mira.id }));
    await carry(database);
    expect([await told(people.tomas), await told(people.mira)]).toEqual([[], ["group_role member"]]);
  });
});

describe("other notifications", () => {
  test("a comment notifies the owner of the resource", async () => {
    const { mira, tomas } = await cast(database);
    const about = { body: "Open.", why: "", tags: [], language: "en", licence: "" };
    const { id } = await within((tx) => addDocument(tx, mira, { title: "For everybody", ...about }));
    await within((tx) => comment(tx, tomas, { resourceId: id, body: "Good." }));
    await within((tx) => comment(tx, mira, { resourceId: id, body: "Thanks." }));
    await carry(database);
    expect([await told(mira), await told(tomas)]).toEqual([["comment you_keep"], []]);
  });

  test("a bookmark reminder notifies at each moment set", async () => {
    const { noor, discussion } = await talk();
    const keep = (minutes: number) =>
      within((tx) =>
        bookmark(tx, noor, { postId: discussion.postId, note: "", remindAt: new Date(database.clock.at.getTime() + minutes * 60_000) }),
      );
    await keep(5);
    await within(remindOfBookmarks);
    await carry(database);
    expect(await told(noor)).toEqual([]);
    for (const _ of [1, 2]) {
      database.clock.pass(10 * 60_000);
      await within(remindOfBookmarks);
      await carry(database);
      await keep(5);
    }
    expect(await told(noor)).toEqual(["bookmark you_set ×2"]);
  });

  test("an account change notifies its person, never by notification mail", async () => {
    const { mira, tomas } = await cast(database);
    await within((tx) => announce(tx, { type: "person.security", personId: mira.id, what: "newDevice" }));
    await carry(database);
    expect(await rowsFor(database, mira)).toMatchObject([{ kind: "security", detail: "newDevice", mailAt: null }]);
    expect(await told(tomas)).toEqual([]);
  });

  test("closed accounts get nothing", async () => {
    const { mira, tomas, discussion } = await talk();
    await within((tx) => run(tx, sql`update people set state = 'suspended' where id = ${mira.id}`));
    await aReply(database, tomas, discussion.id);
    await carry(database);
    expect(await told(mira)).toEqual([]);
  });
});
