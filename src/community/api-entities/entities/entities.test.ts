import { describe, expect, test } from "vitest";
import { many, run, sql } from "#platform/database";
import {
  acceptConversation,
  addParticipants,
  hideMessage,
  sendMessage,
  startConversation,
} from "#community/conversations";
import { addReaction } from "#community/discussions";
import { blockPerson } from "#community/friends";
import { addComment } from "#community/resources";
import type { SignedIn, Viewer } from "#community/rules";
import {
  createTestDiscussion,
  createTestReply,
  setMembership,
  createTestUsers,
  createPerson,
} from "../../../../test/support/test-users.ts";
import { createLeakCommunity } from "../../../../test/support/leak-matrix/community.ts";
import {
  DELETED_WORD,
  INSIDE_WORD,
  GROUP_NAME,
  PRIVATE_WORD,
} from "../../../../test/support/leak-matrix/marker-words.ts";
import {
  createAllViewers,
  OUTSIDE_CLASSES,
  EXPECTED_VISIBILITY,
} from "../../../../test/support/leak-matrix/viewers.ts";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import { API_ENTITIES } from "./index.ts";
import { readEntityRows } from "../../../../test/support/entity-rows.ts";

const database = await testDatabase();
const { inTransaction: within, db } = database;
const named = (name: string) => API_ENTITIES.find((entity) => entity.name === name)!;
const read = (viewer: Viewer, name: string, where = sql`true`) =>
  readEntityRows(db, viewer, named(name), where);

/** Everything a viewer reads of every entity, as text. */
async function readsAll(viewer: Viewer): Promise<Record<string, string>> {
  const all = await Promise.all(
    API_ENTITIES.map(
      async (entity) => [entity.name, JSON.stringify(await readEntityRows(db, viewer, entity))] as const,
    ),
  );
  return Object.fromEntries(all);
}
const entitiesWith = (word: string, responses: Record<string, string>) =>
  Object.keys(responses).filter((name) => responses[name]!.includes(word));

/** Entities with texts of the group, for those who can read it. */
const WITH_WORDS = ["Discussions", "Posts", "Events", "Resources", "Comments", "Collections"];

test.each(["public", "private", "secret"] as const)(
  "the entities of a %s group show each class of viewer what the rules allow",
  async (visibility) => {
    const people = await createTestUsers(database);
    const at = await createLeakCommunity(database, people, visibility);
    const viewers = await createAllViewers(database, people, at.groupId);
    expect(viewers.map(([it]) => it).sort()).toEqual([...OUTSIDE_CLASSES, "member"].sort());
    for (const [it, viewer] of viewers) {
      const responses = await readsAll(viewer);
      const entitiesOf = (word: string) => [it, ...entitiesWith(word, responses).sort()];
      const can = it === "member" ? { name: true, inside: true } : EXPECTED_VISIBILITY[visibility](it);
      expect(entitiesOf(GROUP_NAME)).toEqual([it, ...(can.name ? ["Groups"] : [])]);
      const restores = visibility === "public" && (it === "moderator of the site" || it === "admin");
      // A note to the host, for its author and for those who manage the event.
      const notes = it === "member" || restores ? ["Attendances"] : [];
      // Everyone who can see the landing page of a secret group can read its description there.
      const group = visibility === "secret" && can.name ? ["Groups"] : [];
      expect(entitiesOf(INSIDE_WORD)).toEqual([
        it,
        ...(can.inside ? [...WITH_WORDS, ...group, ...notes] : group).sort(),
      ]);
      expect(entitiesOf(PRIVATE_WORD)).toEqual([it, ...(it === "member" ? ["Messages"] : [])]);
      expect(entitiesOf(DELETED_WORD)).toEqual([it, ...(restores ? ["Discussions", "Posts"] : [])]);
    }
  },
);

describe("entities across a block", () => {
  test("show the blocked viewer stubs without names, and no matches in hidden text", async () => {
    const people = await createTestUsers(database);
    const at = await createLeakCommunity(database, people, "public");
    const [bram, cleo] = await within(async (tx) => {
      const both = [await createPerson(tx, "bram"), await createPerson(tx, "cleo")] as [SignedIn, SignedIn];
      for (const viewer of both) await setMembership(tx, at.groupId, viewer, "member");
      return both;
    });
    await createTestReply(database, bram, at.discussionId, { body: "Wacholder" });
    await within((tx) => addReaction(tx, bram, { postId: at.postId, emoji: "🍐" }));
    await within((tx) => addComment(tx, bram, { resourceId: at.libraryId, body: "Wacholder" }));
    await within((tx) => blockPerson(tx, bram, { personId: cleo.id }));
    const responses = await readsAll(cleo);
    for (const word of ["Wacholder", "Bram", bram.id])
      expect([word, entitiesWith(word, responses)]).toEqual([word, []]);
    const posts = await read(cleo, "Posts", sql`t.discussion_id = ${at.discussionId}`);
    expect(
      posts
        .filter(({ stub }) => stub === "blocked")
        .map((it) => [it["text"], it["ownerId"], it["authorName"]]),
    ).toEqual([[null, null, null]]);
    // Staff read the texts despite the block. The blocker gets a stub that names the author.
    expect(entitiesWith("Wacholder", await readsAll(people.ines)).sort()).toEqual(["Comments", "Posts"]);
    await run(db, sql`update blocks set blocker_id = blocked_id, blocked_id = blocker_id`);
    expect(
      (await read(cleo, "Posts", sql`t.owner_id = ${bram.id}`)).map((it) => [it["stub"], it["ownerId"]]),
    ).toEqual([["blocked-by-viewer", bram.id]]);
    expect(await read(cleo, "Blocks")).toMatchObject([{ personId: bram.id }]);
    expect(await read(bram, "Blocks")).toEqual([]);
  });

  test("hide the blocker in a group conversation, even from staff", async () => {
    const people = await createTestUsers(database);
    const { mira, tomas, ines } = people;
    await run(db, sql`update people set privacy = '{"messages":"everyone"}'`);
    const { id } = await within((tx) =>
      startConversation(tx, mira, { to: ["tomas", "ines"], name: "", body: "Wacholder" }),
    );
    await within((tx) => acceptConversation(tx, tomas, { conversationId: id }));
    await within((tx) => blockPerson(tx, mira, { personId: ines.id }));
    expect(await read(ines, "Messages")).toMatchObject([{ text: null, stub: "blocked", ownerId: null }]);
    expect(await read(ines, "Conversations")).toMatchObject([{ ownerId: null, standing: "request" }]);
    expect((await read(ines, "Participants")).map((it) => it["personId"])).not.toContain(mira.id);
    expect(await read(tomas, "Messages")).toMatchObject([{ text: "Wacholder", ownerId: mira.id }]);
    expect(await read(people.ada, "Messages")).toEqual([]);
    const { id: messageId } = await within((tx) =>
      sendMessage(tx, mira, { conversationId: id, body: "Later" }),
    );
    await within((tx) => hideMessage(tx, tomas, { messageId }));
    expect((await read(tomas, "Messages")).map((it) => it["text"])).toEqual(["Wacholder"]);
    await within((tx) => addParticipants(tx, mira, { conversationId: id, to: ["noor"] }));
    expect(await read(people.noor, "Messages")).toEqual([]);
    await within((tx) => sendMessage(tx, mira, { conversationId: id, body: "Welcome" }));
    expect((await read(people.noor, "Messages")).map((it) => it["text"])).toEqual(["Welcome"]);
  });
});

test("a new member reads only posts since joining if the group's history policy says so", async () => {
  const people = await createTestUsers(database);
  const at = await createLeakCommunity(database, people, "private");
  await run(db, sql`update groups set history_policy = 'from_joining' where id = ${at.groupId}`);
  database.clock.pass(1_000);
  const newcomer = await within(async (tx) => {
    const viewer = await createPerson(tx, "newcomer");
    await setMembership(tx, at.groupId, viewer, "member");
    return viewer;
  });
  expect(entitiesWith(INSIDE_WORD, await readsAll(newcomer))).toEqual([]);
  await createTestReply(database, people.mira, at.discussionId, { body: "Hagebutte", replyTo: at.postId });
  expect((await read(newcomer, "Posts", sql`t.group_id = ${at.groupId}`)).map((it) => it["text"])).toEqual([
    "Hagebutte",
  ]);
  expect(entitiesWith(INSIDE_WORD, await readsAll(newcomer))).toEqual(["Discussions"]);
});

test("a lookup by a complete id uses an index, also for compound ids", async () => {
  const people = await createTestUsers(database);
  const at = await createLeakCommunity(database, people, "public");
  const ask = (name: string, id: string) =>
    read(people.mira, name, named(name).columns[0]!.among!("t", [id]));
  expect(await ask("Posts", at.postId)).toHaveLength(1);
  expect(await ask("Posts", "no id")).toEqual([]);
  expect(await ask("Memberships", `${at.groupId}:${people.mira.id}`)).toHaveLength(1);
  for (const id of [at.groupId, `${at.groupId}:x`, `${at.groupId}:${people.mira.id}:x`, "", ":"])
    expect(await ask("Memberships", id)).toEqual([]);
  await createTestDiscussion(database, people.mira, at.groupId);
  const plan = await within(async (tx) => {
    await run(tx, sql`set local enable_seqscan = off`);
    const { among } = named("Memberships").columns[0]!;
    return many(
      tx,
      sql<{
        "QUERY PLAN": string;
      }>`explain select 1 from published.memberships t
        where ${among!("t", [`${at.groupId}:${people.mira.id}`])}`,
    );
  });
  // Which of the matching indexes the planner picks depends on its row estimates.
  expect(plan.map((row) => row["QUERY PLAN"]).join("\n")).toMatch(/Index Cond: .*(group_id|person_id) = /);
});

test("every view column is published or used by a published column", async () => {
  const columns = await many(
    db,
    sql<{
      view: string;
      name: string;
    }>`select table_name as view, column_name as name from information_schema.columns
      where table_schema = 'published'`,
  );
  const unnamed = columns
    .filter(
      ({ view, name }) =>
        !API_ENTITIES.find((entity) => entity.view === view)?.columns.some((it) => it.sqlName === name),
    )
    .map(({ view, name }) => `${view}.${name}`);
  expect(unnamed.sort()).toEqual([
    "collection_resources.child",
    "collection_resources.parent",
    "collection_resources.position",
    "comments.state",
    "friendships.high_id",
    "friendships.low_id",
    "posts.state",
    "users.properties",
  ]);
});
