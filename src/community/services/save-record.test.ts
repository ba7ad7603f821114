import { describe, expect, test } from "vitest";
import { many, run, sql } from "#platform/database";
import { API_ENTITIES, getEntityRow } from "#community/api-entities";
import type { Viewer } from "#community/rules";
import { defaultSettings } from "#community/settings";
import {
  createTestDiscussion,
  createTestGroup,
  createTestUsers,
  type TestUsers,
} from "../../../test/support/test-users.ts";
import { createLeakCommunity } from "../../../test/support/leak-matrix/community.ts";
import { createAllViewers } from "../../../test/support/leak-matrix/viewers.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import { updateRecord, createRecord, type CommandContext, removeRecord, unsupportedReason } from "./index.ts";

const database = await testDatabase();
const { inTransaction: within, db } = database;
const as = <T>(viewer: Viewer, work: (hand: CommandContext) => Promise<T>) =>
  within((tx) => work({ tx, viewer, site: defaultSettings }));
const create = (viewer: Viewer, noun: string, given: Record<string, unknown>) =>
  as(viewer, (hand) => createRecord(hand, noun, given));
const change = (viewer: Viewer, noun: string, id: string, given: Record<string, unknown>) =>
  as(viewer, (hand) => updateRecord(hand, noun, id, given));
const remove = (viewer: Viewer, noun: string, id: string) =>
  as(viewer, (hand) => removeRecord(hand, noun, id));
const row = (viewer: Viewer, noun: string, id: string) => getEntityRow(db, viewer, noun, id);
const refused = (reason: string, words = /./) => ({
  reason,
  message: expect.stringMatching(words) as string,
});

async function place() {
  const people = await createTestUsers(database);
  const group = await createTestGroup(database, people);
  return {
    ...people,
    groupId: group.id,
    discussion: await createTestDiscussion(database, people.mira, group.id),
  };
}

describe("saving records", () => {
  test("saving a post replies or edits; removing one deletes it", async () => {
    const { mira, noor, tomas, discussion } = await place();
    const id = await create(mira, "Posts", {
      discussionId: discussion.id,
      text: "After the ice saints.",
      replyTo: discussion.postId,
      number: 77,
    });
    const post = await row(mira, "Posts", id);
    expect(post).toMatchObject({
      number: 2,
      text: "After the ice saints.",
      replyTo: discussion.postId,
      ownerId: mira.id,
    });
    await change(mira, "Posts", id, { ...post, text: "Not before May." });
    expect(await row(mira, "Posts", id)).toMatchObject({ text: "Not before May.", version: 2 });
    await expect(change(mira, "Posts", id, { ...post, text: "Too late." })).rejects.toMatchObject(
      refused("conflict"),
    );
    await expect(change(mira, "Posts", id, { number: 9 })).rejects.toMatchObject(
      refused("not-allowed", /number/),
    );
    await expect(change(tomas, "Posts", id, { text: "Mine now." })).rejects.toMatchObject(
      refused("invalid", /Enter a reason/),
    );
    await change(tomas, "Posts", id, { text: "Not before June.", reason: "It froze." });
    await expect(
      create(noor, "Posts", { discussionId: discussion.id, text: "Me too." }),
    ).rejects.toMatchObject(refused("not-allowed", /Join/));
    await expect(create(mira, "Posts", { discussionId: discussion.id })).rejects.toMatchObject(
      refused("invalid", /Write something first/),
    );
    await expect(create(mira, "Posts", { discussionId: "nothing", text: "?" })).rejects.toMatchObject(
      refused("invalid"),
    );
    await expect(remove(noor, "Posts", id)).rejects.toMatchObject(refused("not-allowed"));
    await remove(mira, "Posts", id);
    expect(await row(mira, "Posts", id)).toMatchObject({ text: null, stub: "deleted" });
  });

  test("a decisive column of any invalid shape is refused with a short sentence", async () => {
    const { mira, tomas, groupId, discussion } = await place();
    for (const odd of [{ toString: 1 }, { toString: 1, valueOf: 1 }, ["x"], 7, true, "x".repeat(100_000)])
      for (const [noun, id, given] of [
        ["Discussions", discussion.id, { locked: true, lockedReason: odd }],
        ["Discussions", discussion.id, { state: odd }],
        ["Discussions", discussion.id, { state: "archived", reason: odd }],
        ["Memberships", `${groupId}:${mira.id}`, { state: odd }],
        ["Groups", groupId, { state: odd }],
        ["Groups", groupId, { lastActiveAt: odd }],
      ] as const) {
        const said = await change(tomas, noun, id, given).then(
          () => "done",
          ({ name, message }: Error) => `${name} ${message}`,
        );
        expect([said.slice(0, 200), said.length < 500]).toEqual([
          expect.stringMatching(/^(Refusal|done)/),
          true,
        ]);
      }
  });

  test("saving a discussion starts it; its columns run moderator commands", async () => {
    const { mira, tomas, noor, groupId } = await place();
    const id = await create(mira, "Discussions", {
      groupId,
      title: "What to sow",
      text: "Now.",
      tags: ["beds"],
    });
    expect(await row(mira, "Discussions", id)).toMatchObject({
      title: "What to sow",
      tags: ["beds"],
      replies: 0,
    });
    await change(mira, "Discussions", id, { title: "What to sow now", resolved: true });
    await expect(change(noor, "Discussions", id, { tags: ["mine"] })).rejects.toMatchObject(
      refused("not-allowed"),
    );
    await expect(change(mira, "Discussions", id, { tags: ["x".repeat(21)] })).rejects.toMatchObject(
      refused("invalid", /20 characters/),
    );
    await change(mira, "Discussions", id, { tags: ["beds", "Water"] });
    expect(await row(mira, "Discussions", id)).toMatchObject({
      title: "What to sow now",
      tags: ["beds", "water"],
    });
    await expect(
      change(mira, "Discussions", id, { locked: true, lockedReason: "Done." }),
    ).rejects.toMatchObject(refused("not-allowed"));
    await change(tomas, "Discussions", id, { locked: true, lockedReason: "Done.", pinned: true });
    expect(await row(mira, "Discussions", id)).toMatchObject({
      locked: true,
      lockedReason: "Done.",
      pinned: true,
      resolved: true,
      title: "What to sow now",
    });
    await change(tomas, "Discussions", id, { locked: false, pinned: false, resolved: false });
    expect(await row(mira, "Discussions", id)).toMatchObject({
      locked: false,
      lockedReason: null,
      pinned: false,
      resolved: false,
    });
    await change(tomas, "Discussions", id, { state: "archived", reason: "Over." });
    await change(tomas, "Discussions", id, { state: "open" });
    await expect(change(tomas, "Discussions", id, { state: "deleted" })).rejects.toMatchObject(
      refused("not-allowed"),
    );
    await expect(remove(tomas, "Discussions", id)).rejects.toMatchObject(refused("not-allowed", /reason/));
  });

  test("saving a membership joins, requests or invites; its states run membership commands", async () => {
    const { mira, noor, tomas, groupId, ines } = await place();
    const own = `${groupId}:${noor.id}`;
    expect(await create(noor, "Memberships", { groupId })).toBe(own);
    await change(noor, "Memberships", own, { notifyLevel: "all" });
    expect(await row(noor, "Memberships", own)).toMatchObject({
      state: "member",
      notifyLevel: "all",
      mine: true,
    });
    expect(await row(mira, "Memberships", own)).toMatchObject({
      state: "member",
      notifyLevel: null,
      mine: false,
    });
    await expect(change(mira, "Memberships", own, { role: "moderator" })).rejects.toMatchObject(
      refused("not-allowed"),
    );
    await change(tomas, "Memberships", own, { role: "moderator" });
    await expect(remove(tomas, "Memberships", own)).rejects.toMatchObject(refused("not-allowed", /reason/));
    await expect(change(tomas, "Memberships", own, { state: "removed" })).rejects.toMatchObject(
      refused("invalid", /Enter a reason/),
    );
    await change(tomas, "Memberships", own, { state: "removed", reason: "Not now." });
    await expect(
      change(mira, "Memberships", `${groupId}:${mira.id}`, { state: "banned" }),
    ).rejects.toMatchObject(refused("not-allowed"));
    await remove(mira, "Memberships", `${groupId}:${mira.id}`);
    expect(await row(mira, "Memberships", `${groupId}:${mira.id}`)).toMatchObject({ state: "left" });
    await create(tomas, "Memberships", { groupId, personId: ines.id });
    await change(ines, "Memberships", `${groupId}:${ines.id}`, { state: "member" });
    const closed = await createTestGroup(
      database,
      { tomas, mira },
      { visibility: "private", name: "Behind doors" },
    );
    await create(noor, "Memberships", { groupId: closed.id, state: "requested" });
    await change(tomas, "Memberships", `${closed.id}:${noor.id}`, { state: "member" });
    expect(await row(noor, "Memberships", `${closed.id}:${noor.id}`)).toMatchObject({ state: "member" });
  });

  test("friends, blocks, reactions and bookmarks are created and removed", async () => {
    database.clock.at = new Date();
    const { mira, noor, tomas, discussion } = await place();
    const pair = await create(mira, "Friendships", { personId: noor.id, note: "Hello" });
    await expect(change(mira, "Friendships", pair, { state: "friends" })).rejects.toMatchObject(
      refused("not-allowed"),
    );
    await change(noor, "Friendships", pair, { state: "friends" });
    expect(await row(mira, "Friendships", pair)).toMatchObject({ state: "friends", personId: noor.id });
    await remove(noor, "Friendships", pair);
    await expect(row(mira, "Friendships", pair)).rejects.toMatchObject(refused("not-found"));
    const reaction = await create(tomas, "Reactions", { postId: discussion.postId, emoji: "🍐" });
    await expect(remove(mira, "Reactions", reaction)).rejects.toMatchObject(refused("not-allowed"));
    await remove(tomas, "Reactions", reaction);
    await expect(
      create(tomas, "Reactions", { postId: discussion.postId, emoji: "pear" }),
    ).rejects.toMatchObject(refused("invalid", /emoji/));
    const kept = await create(tomas, "Bookmarks", { postId: discussion.postId, note: "Beans" });
    await change(tomas, "Bookmarks", kept, { remindAt: database.clock.at.getTime() + 60_000 });
    expect(await row(tomas, "Bookmarks", kept)).toMatchObject({
      note: "Beans",
      remindAt: new Date(database.clock.at.getTime() + 60_000),
    });
    await remove(tomas, "Bookmarks", kept);
    const block = await create(mira, "Blocks", { personId: noor.id });
    await expect(remove(noor, "Blocks", block)).rejects.toMatchObject(refused("not-found"));
    await remove(mira, "Blocks", block);
    expect(await many(db, sql`select from blocks`)).toEqual([]);
  });

  test("saving a conversation starts one, saving a message sends it", async () => {
    const { mira, tomas, noor, ada } = await place();
    await run(db, sql`update people set privacy = '{"messages":"everyone"}'`);
    const id = await create(mira, "Conversations", { to: ["tomas", "noor"], text: "Hello." });
    await change(tomas, "Conversations", id, { standing: "accepted", archived: true });
    expect(await row(tomas, "Conversations", id)).toMatchObject({
      standing: "accepted",
      archived: true,
      unread: 1,
      kind: "group",
    });
    const message = await create(tomas, "Messages", { conversationId: id, text: "Good day." });
    await change(tomas, "Messages", message, { text: "Good evening." });
    await expect(change(mira, "Messages", message, { text: "No." })).rejects.toMatchObject(
      refused("not-allowed"),
    );
    await remove(tomas, "Messages", message);
    expect(await row(mira, "Messages", message)).toMatchObject({ text: null, stub: "deleted" });
    await change(mira, "Conversations", id, { name: "Beans", readUpTo: 2 });
    expect(await row(mira, "Conversations", id)).toMatchObject({ name: "Beans", unread: 0 });
    await remove(noor, "Conversations", id);
    await create(mira, "Participants", { conversationId: id, personId: ada.id });
    await remove(mira, "Participants", `${id}:${ada.id}`);
    await expect(create(ada, "Messages", { conversationId: id, text: "?" })).rejects.toMatchObject(
      refused("not-found"),
    );
  });

  test("comment is edited and removed by its author, and by moderators of its group", async () => {
    const { mira, tomas, noor, groupId } = await place();
    const link = await create(mira, "Resources", {
      kind: "link",
      title: "Beans",
      url: "https://example.org/beans",
      groupId,
    });
    const id = await create(mira, "Comments", { resourceId: link, text: "Good." });
    const comment = await row(mira, "Comments", id);
    expect(comment).toMatchObject({ text: "Good.", version: 1, ownerId: mira.id });
    await change(mira, "Comments", id, { ...comment, text: "Very good." });
    expect(await row(noor, "Comments", id)).toMatchObject({ text: "Very good.", version: 2 });
    await expect(change(mira, "Comments", id, { ...comment, text: "Late." })).rejects.toMatchObject(
      refused("conflict"),
    );
    await expect(change(noor, "Comments", id, { text: "Mine now." })).rejects.toMatchObject(
      refused("not-allowed"),
    );
    await expect(change(tomas, "Comments", id, { text: "Fine." })).rejects.toMatchObject(
      refused("invalid", /Enter a reason/),
    );
    await change(tomas, "Comments", id, { text: "Fine.", reason: "A name was in it." });
    await expect(change(mira, "Comments", id, { number: 9 })).rejects.toMatchObject(
      refused("not-allowed", /number/),
    );
    await expect(change(mira, "Comments", id, { text: "x".repeat(10_001) })).rejects.toMatchObject(
      refused("invalid"),
    );
    await expect(remove(noor, "Comments", id)).rejects.toMatchObject(refused("not-allowed"));
    await remove(mira, "Comments", id);
    expect(await row(noor, "Comments", id)).toMatchObject({ text: null, stub: "deleted" });
    const other = await create(mira, "Comments", { resourceId: link, text: "Again." });
    await remove(tomas, "Comments", other);
    expect(await row(mira, "Comments", other)).toMatchObject({ stub: "removed" });
  });

  test("saves new library items and groups", async () => {
    const { mira, tomas, groupId } = await place();
    const link = await create(mira, "Resources", {
      kind: "link",
      title: "Beans",
      url: "https://example.org/beans",
      groupId,
    });
    await create(tomas, "Comments", { resourceId: link, text: "Good." });
    expect(await row(mira, "Resources", link)).toMatchObject({ kind: "link", commentsCount: 1, groupId });
    await change(mira, "Resources", link, { ...(await row(mira, "Resources", link)), title: "Broad beans" });
    expect(await row(tomas, "Resources", link)).toMatchObject({
      title: "Broad beans",
      changes: 1,
      editsBy: "keeper",
    });
    await expect(change(mira, "Resources", link, { title: "Beans", changes: 0 })).rejects.toMatchObject(
      refused("conflict"),
    );
    await expect(remove(tomas, "Resources", link)).rejects.toMatchObject(
      refused("invalid", /Enter a reason/),
    );
    await remove(mira, "Resources", link);
    await expect(row(mira, "Resources", link)).rejects.toMatchObject(refused("not-found"));
    await expect(create(mira, "Resources", { kind: "song", title: "Beans" })).rejects.toMatchObject(
      refused("invalid", /link/),
    );
    const shelf = await create(tomas, "Collections", { title: "Beans", groupId });
    await change(tomas, "Collections", shelf, { about: "All." });
    expect(await row(mira, "Collections", shelf)).toMatchObject({ title: "Beans", about: "All." });
    await expect(remove(mira, "Collections", shelf)).rejects.toMatchObject(refused("not-allowed"));
    await remove(tomas, "Collections", shelf);
    const group = await create(mira, "Groups", { name: "Water", visibility: "public", joinPolicy: "open" });
    await change(mira, "Groups", group, { ...(await row(mira, "Groups", group)), purpose: "Wells." });
    await change(mira, "Groups", group, { state: "archived" });
    expect(await row(mira, "Groups", group)).toMatchObject({ purpose: "Wells.", state: "archived" });
    await remove(mira, "Groups", group);
    await expect(row(mira, "Groups", group)).rejects.toMatchObject(refused("not-found"));
  });

  test("people edit only their own profile", async () => {
    const { mira, tomas } = await place();
    await change(mira, "Users", mira.id, { ...(await row(mira, "Users", mira.id)), location: "Lindenhof" });
    expect(await row(mira, "Users", mira.id)).toMatchObject({ location: "Lindenhof" });
    await expect(change(tomas, "Users", mira.id, { location: "Elsewhere" })).rejects.toMatchObject(
      refused("not-found"),
    );
    await expect(change(mira, "Users", mira.id, { role: "admin" })).rejects.toMatchObject(
      refused("not-allowed", /role/),
    );
    await expect(change(mira, "Users", mira.id, { email: "other@example.org" })).rejects.toMatchObject(
      refused("not-allowed", /email/),
    );
  });
});

test("each entity documents its save commands and why others are missing", async () => {
  const people: TestUsers = await createTestUsers(database);
  for (const { name } of API_ENTITIES)
    for (const act of ["create", "update", "remove"] as const) {
      const why = unsupportedReason(name, act);
      expect([name, act, why === null || /^[A-Z].*\.$/.test(why)]).toEqual([name, act, true]);
      if (why && act === "create")
        await expect(create(people.ada, name, {})).rejects.toMatchObject(refused("not-allowed"));
    }
});

test("saving and removing reveal nothing to outsiders", async () => {
  const people = await createTestUsers(database);
  const at = await createLeakCommunity(database, people, "secret");
  const known: Record<string, string> = {
    Groups: at.groupId,
    Discussions: at.discussionId,
    Posts: at.postId,
    Messages: at.messageId,
    Conversations: at.conversationId,
    Resources: at.resourceId,
    Memberships: `${at.groupId}:${people.mira.id}`,
  };
  const anything = { text: "?", title: "Other", purpose: "?", why: "?", name: "Other", role: "?" };
  const answerOf = (act: Promise<unknown>) =>
    act.then(
      () => "done",
      (error: Error) => error.message,
    );
  for (const [it, viewer] of await createAllViewers(database, people, at.groupId)) {
    if (it === "member") continue;
    for (const [noun, id] of Object.entries(known)) {
      // An invited person knows the group but nothing in it.
      const expected = it === "invited" && noun === "Groups" ? /^Only (moderators|owners)/ : /^Not found\.$/;
      for (const act of [() => change(viewer, noun, id, anything), () => remove(viewer, noun, id)])
        expect([it, noun, await answerOf(act())]).toEqual([it, noun, expect.stringMatching(expected)]);
    }
  }
});
