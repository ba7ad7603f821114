import { describe, expect, test } from "vitest";
import { run, sql } from "#platform/database";
import { announce } from "#platform/outbox";
import { acceptConversation, markConversationRead, muteConversation, sendMessage, startConversation } from "#community/conversations";
import {
  bookmark,
  deleteDiscussion,
  deletePost,
  editPost,
  type FollowLevel,
  markRead,
  mergeDiscussion,
  react,
  remindOfBookmarks,
  setFollowLevel,
  unreact,
} from "#community/discussions";
import { acceptFriend, askFriend, block, cancelRequest, declineFriend, mutePerson, removeFriend } from "#community/friends";
import {
  admit,
  archiveGroup,
  askToJoin,
  decline,
  inviteToGroup,
  joinGroup,
  leaveGroup,
  removeMember,
  setGroupNotices,
  setGroupRole,
  withdrawRequest,
} from "#community/groups";
import { addDocument, comment } from "#community/resources";
import type { SignedIn } from "#community/rules";
import { aDiscussion, aGroup, aReply, bring, cast, person } from "../../../test/cast.ts";
import { testDatabase } from "../../../test/setup/database.ts";
import { carry, carryAgain, rowsFor, toldTo } from "./told.fixture.ts";

const database = await testDatabase();
const { inTransaction: within } = database;
const told = (who: { id: string }) => toldTo(database, who);
const level = (who: SignedIn, discussionId: string, it: FollowLevel) =>
  within((tx) => setFollowLevel(tx, who, { discussionId, level: it }));

/** Mira has begun a discussion in a group of Tomas's; Noor is in it too. Nothing has been told yet. */
async function talk(visibility: "public" | "private" = "public") {
  const people = await cast(database);
  const group = await aGroup(database, people, { visibility });
  await within((tx) => bring(tx, group.id, people.noor, "member"));
  const discussion = await aDiscussion(database, people.mira, group.id);
  await carry(database);
  return { ...people, group, discussion };
}

describe("a reply", () => {
  test("is told to whom it answers and to who began the discussion; not to who wrote it, nor to who only belongs to the group", async () => {
    const { mira, tomas, noor, ines, discussion } = await talk();
    const first = await aReply(database, tomas, discussion.id);
    await aReply(database, noor, discussion.id, { replyTo: first.id });
    await carry(database);
    expect(await told(mira)).toEqual(["reply you_started ×2"]);
    expect(await told(tomas)).toEqual(["reply you_wrote"]);
    expect([await told(noor), await told(ines)]).toEqual([[], []]);
    const [row] = await rowsFor(database, mira);
    expect(row).toMatchObject({ actors: [noor.id, tomas.id], objectId: discussion.id });
  });

  test("is told to who watches, and to who wants all of the group; not to who only tracks, has muted the one or the other, or cannot read it", async () => {
    const { mira, tomas, noor, ines, group, discussion } = await talk("private");
    const [all, muted, tracking, mutedGroup] = await within(async (tx) => {
      const made: SignedIn[] = [];
      for (const name of ["berta", "carla", "dora", "edda"]) made.push(await person(tx, name));
      for (const who of made) await bring(tx, group.id, who, "member");
      return made as [SignedIn, SignedIn, SignedIn, SignedIn];
    });
    for (const who of [all, muted]) await within((tx) => setGroupNotices(tx, who, { groupId: group.id, level: "all" }));
    await within((tx) => setGroupNotices(tx, mutedGroup, { groupId: group.id, level: "mute" }));
    await level(noor, discussion.id, "watching");
    await level(muted, discussion.id, "muted");
    await level(tracking, discussion.id, "tracking");
    await level(mutedGroup, discussion.id, "tracking");
    // Ines was let in, watched it, and is in the group no longer.
    await within((tx) => bring(tx, group.id, ines, "member"));
    await level(ines, discussion.id, "watching");
    await within((tx) => bring(tx, group.id, ines, "left"));
    await aReply(database, tomas, discussion.id, { body: "Listen, @edda and @carla." });
    await carry(database);
    expect(await told(noor)).toEqual(["new_reply watching"]);
    expect(await told(all)).toEqual(["new_reply group_all"]);
    for (const who of [muted, tracking, mutedGroup, ines, tomas]) expect(await told(who)).toEqual([]);
    expect(await told(mira)).toEqual(["reply you_started"]);
  });

  test("is told once, for the nearest reason, however often the relay says so", async () => {
    const { mira, noor, discussion } = await talk();
    await level(noor, discussion.id, "watching");
    const own = await aReply(database, noor, discussion.id);
    await aReply(database, mira, discussion.id, { body: "Yes, @noor.", replyTo: own.id });
    await carry(database);
    expect(await told(noor)).toEqual(["mention mentioned"]);
    await carryAgain(database);
    expect(await told(noor)).toEqual(["mention mentioned"]);
    await within((tx) => markRead(tx, noor, { discussionId: discussion.id, upTo: 9 }));
    await carry(database);
    await carryAgain(database);
    expect(await told(noor)).toEqual(["mention mentioned read"]);
  });

  test("is not told to who has read it by then, nor to whom a block parts from who wrote it", async () => {
    const { mira, tomas, noor, discussion } = await talk();
    await level(noor, discussion.id, "watching");
    await aReply(database, tomas, discussion.id);
    await within((tx) => markRead(tx, noor, { discussionId: discussion.id, upTo: 2 }));
    await carry(database);
    expect(await told(noor)).toEqual([]);
    await within((tx) => block(tx, mira, { personId: noor.id }));
    await aReply(database, noor, discussion.id);
    await carry(database);
    expect(await told(mira)).toEqual(["reply you_started"]);
    expect((await rowsFor(database, mira))[0]!.actors).toEqual([tomas.id]);
  });

  test("is not told to who has muted its writer; what is one's duty is", async () => {
    const { mira, tomas, noor, ines, group, discussion } = await talk("private");
    await within((tx) => mutePerson(tx, mira, { personId: noor.id, until: null }));
    await within((tx) => mutePerson(tx, tomas, { personId: ines.id, until: null }));
    await aReply(database, noor, discussion.id, { body: "Hello, @mira and @tomas." });
    await within((tx) => askToJoin(tx, ines, { groupId: group.id, answers: [] }));
    await carry(database);
    expect(await told(mira)).toEqual([]);
    expect(await told(tomas)).toEqual(["group_request you_lead", "mention mentioned"]);
  });

  test("is cleared as far as somebody has read, and not further", async () => {
    const { mira, tomas, noor, discussion } = await talk();
    await aReply(database, tomas, discussion.id);
    await carry(database);
    await within((tx) => markRead(tx, mira, { discussionId: discussion.id, upTo: 1 }));
    await carry(database);
    expect(await told(mira)).toEqual(["reply you_started"]);
    await within((tx) => markRead(tx, mira, { discussionId: discussion.id, upTo: 2 }));
    await carry(database);
    await aReply(database, noor, discussion.id);
    await carry(database);
    expect(await told(mira)).toEqual(["reply you_started read", "reply you_started"]);
  });

  test("is withdrawn when its post is taken away, its discussion is deleted, or its reader is put out of the group", async () => {
    const { mira, tomas, noor, ada, group, discussion } = await talk("private");
    await level(noor, discussion.id, "watching");
    const post = await aReply(database, tomas, discussion.id);
    await carry(database);
    await within((tx) => deletePost(tx, tomas, { postId: post.id, reason: "" }));
    await carry(database);
    expect(await told(mira)).toEqual(["reply you_started withdrawn"]);
    await aReply(database, tomas, discussion.id);
    await carry(database);
    await within((tx) => removeMember(tx, tomas, { groupId: group.id, personId: noor.id, reason: "No." }));
    await carry(database);
    expect((await told(noor)).every((it) => it.endsWith("withdrawn"))).toBe(true);
    expect(await told(mira)).toEqual(["reply you_started withdrawn", "reply you_started"]);
    await within((tx) => deleteDiscussion(tx, tomas, { discussionId: discussion.id, reason: "Gone." }));
    await carry(database);
    expect((await told(mira)).every((it) => it.endsWith("withdrawn"))).toBe(true);
    expect(await told(ada)).toEqual([]);
  });

  test("goes along into another discussion", async () => {
    const { mira, tomas, group, discussion } = await talk();
    const other = await aDiscussion(database, tomas, group.id, { title: "Another one" });
    await aReply(database, tomas, discussion.id);
    await carry(database);
    await within((tx) =>
      mergeDiscussion(tx, tomas, { discussionId: discussion.id, into: other.id, visibility: "public", reason: "The same." }),
    );
    await carry(database);
    expect((await rowsFor(database, mira)).map((it) => [it.objectId, it.withdrawn])).toEqual([[other.id, false]]);
  });
});

describe("a mention", () => {
  test("is told to a person and to the people of a group, once, also when the name comes later", async () => {
    const { mira, tomas, noor, group, discussion } = await talk();
    const post = await aReply(database, tomas, discussion.id, { body: `Dear @${group.slug}, and @mira.` });
    await carry(database);
    expect(await told(noor)).toEqual(["mention group_mentioned"]);
    expect(await told(mira)).toEqual(["mention mentioned"]);
    await within((tx) => editPost(tx, tomas, { postId: post.id, body: `Dear @${group.slug}, and @mira, @ines, @noor.`, version: 1 }));
    await carry(database);
    expect(await told(noor)).toEqual(["mention group_mentioned"]);
  });
});

describe("a new discussion", () => {
  test("is told to who wants all of the group, and to nobody else", async () => {
    const { mira, tomas, noor, group } = await talk();
    await within((tx) => setGroupNotices(tx, noor, { groupId: group.id, level: "all" }));
    await aDiscussion(database, tomas, group.id, { title: "Something new" });
    await carry(database);
    expect(await told(noor)).toEqual(["new_discussion group_all"]);
    expect(await told(mira)).toEqual([]);
  });
});

describe("a reaction", () => {
  test("is told to whose post it is, never by mail, and once however often it comes and goes", async () => {
    const { mira, tomas, noor, discussion } = await talk();
    const it = { postId: discussion.postId, emoji: "👍" };
    await within((tx) => react(tx, tomas, it));
    await within((tx) => react(tx, mira, it));
    await carry(database);
    await within((tx) => unreact(tx, tomas, it));
    await within((tx) => react(tx, tomas, it));
    await within((tx) => react(tx, noor, it));
    await carry(database);
    expect(await told(mira)).toEqual(["reaction your_post ×2"]);
    expect((await rowsFor(database, mira))[0]).toMatchObject({ mailAt: null, actors: [noor.id, tomas.id] });
    expect(await told(tomas)).toEqual([]);
  });
});

describe("a message", () => {
  test("is told to the others, as a request where it is one, until it is read; not to who has muted the conversation", async () => {
    const { mira, tomas, noor } = await cast(database);
    await within((tx) => run(tx, sql`update people set privacy = '{"messages":"everyone"}' where id = ${noor.id}`));
    await within((tx) => askFriend(tx, mira, { personId: tomas.id, note: "" }));
    await within((tx) => acceptFriend(tx, tomas, { personId: mira.id }));
    await carry(database);
    const { id } = await within((tx) => startConversation(tx, mira, { to: ["tomas"], name: "", body: "A word?" }));
    await within((tx) => sendMessage(tx, mira, { conversationId: id, body: "Or two." }));
    const request = await within((tx) => startConversation(tx, mira, { to: ["noor"], name: "", body: "Hello." }));
    await carry(database);
    expect(await told(tomas)).toContain("message participant ×2");
    expect(await told(noor)).toEqual(["message_request participant"]);
    expect(await told(mira)).toEqual(["friend_accepted you_asked"]);
    await within((tx) => markConversationRead(tx, tomas, { conversationId: id, upTo: 2 }));
    await within((tx) => acceptConversation(tx, noor, { conversationId: request.id }));
    await carry(database);
    expect(await told(tomas)).toContain("message participant read ×2");
    expect(await told(noor)).toEqual(["message_request participant read"]);
    await within((tx) => muteConversation(tx, tomas, { conversationId: id, until: new Date(database.clock.at.getTime() + 3_600_000) }));
    await within((tx) => sendMessage(tx, mira, { conversationId: id, body: "Still there?" }));
    await carry(database);
    expect((await told(tomas)).filter((it) => it.startsWith("message"))).toEqual(["message participant read ×2"]);
  });
});

describe("friends", () => {
  test("a request is told, and clears when it is answered; yes is told, no is not", async () => {
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

  test("a request that is taken back, or ends in a block, is told no longer", async () => {
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
  test("an invitation is told to who is invited, and clears when they come", async () => {
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

  test("a request is told to those who look after the group, and what became of it to who asked", async () => {
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

  test("a new role is told to who has it, an end of the writing to all inside but who did it or has muted the group", async () => {
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
});

describe("what else is told", () => {
  test("a comment, to who keeps the resource", async () => {
    const { mira, tomas } = await cast(database);
    const about = { body: "Open.", why: "", tags: [], language: "en", licence: "" };
    const { id } = await within((tx) => addDocument(tx, mira, { title: "For everybody", ...about }));
    await within((tx) => comment(tx, tomas, { resourceId: id, body: "Good." }));
    await within((tx) => comment(tx, mira, { resourceId: id, body: "Thanks." }));
    await carry(database);
    expect([await told(mira), await told(tomas)]).toEqual([["comment you_keep"], []]);
  });

  test("a bookmark, when its moment has come, each time that was set", async () => {
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

  test("what was done to an account, to whose it is, and never by this mail", async () => {
    const { mira, tomas } = await cast(database);
    await within((tx) => announce(tx, { type: "person.security", personId: mira.id, what: "newDevice" }));
    await carry(database);
    expect(await rowsFor(database, mira)).toMatchObject([{ kind: "security", detail: "newDevice", mailAt: null }]);
    expect(await told(tomas)).toEqual([]);
  });

  test("nothing, to whose account is closed", async () => {
    const { mira, tomas, discussion } = await talk();
    await within((tx) => run(tx, sql`update people set state = 'suspended' where id = ${mira.id}`));
    await aReply(database, tomas, discussion.id);
    await carry(database);
    expect(await told(mira)).toEqual([]);
  });
});
