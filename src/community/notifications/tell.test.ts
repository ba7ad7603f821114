import { describe, expect, test } from "vitest";
import { run, sql } from "#platform/database";
import { acceptConversation, markConversationRead, muteConversation, sendMessage, startConversation } from "#community/conversations";
import { deleteDiscussion, deletePost, editPost, markRead, mergeDiscussion, react, unreact } from "#community/discussions";
import { acceptFriend, askFriend, block, mutePerson } from "#community/friends";
import { askToJoin, removeMember, setGroupNotices } from "#community/groups";
import type { SignedIn } from "#community/rules";
import { aDiscussion, aReply, bring, cast, person } from "../../../test/cast.ts";
import { carry, carryAgain, rowsFor } from "./told.fixture.ts";
import { database, level, talk, told, within } from "./tell.fixture.ts";

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
    expect((await told(noor)).filter((it) => !it.endsWith("withdrawn"))).toEqual(["group_decision about_you"]);
    expect(await told(mira)).toEqual(["reply you_started withdrawn", "reply you_started"]);
    await within((tx) => deleteDiscussion(tx, tomas, { discussionId: discussion.id, reason: "Gone." }));
    await carry(database);
    // What is left is that it was deleted.
    expect((await told(mira)).filter((it) => !it.endsWith("withdrawn"))).toEqual(["post_removed your_post"]);
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

  test("of a conversation of several is told once to who has not accepted it, however much is said there", async () => {
    const { mira, tomas, noor } = await cast(database);
    await within((tx) => run(tx, sql`update people set privacy = '{"messages":"everyone"}' where id = ${noor.id}`));
    await within((tx) => askFriend(tx, mira, { personId: tomas.id, note: "" }));
    await within((tx) => acceptFriend(tx, tomas, { personId: mira.id }));
    const { id } = await within((tx) => startConversation(tx, mira, { to: ["tomas", "noor"], name: "", body: "Hello." }));
    for (const who of [mira, tomas, mira]) await within((tx) => sendMessage(tx, who, { conversationId: id, body: "Noor!" }));
    await carry(database);
    expect(await told(noor)).toEqual(["message_request participant"]);
    await within((tx) => acceptConversation(tx, noor, { conversationId: id }));
    await within((tx) => sendMessage(tx, mira, { conversationId: id, body: "You are here." }));
    await carry(database);
    expect((await told(noor)).toSorted()).toEqual(["message participant", "message_request participant read"]);
  });
});
