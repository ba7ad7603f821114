import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { toEnglish } from "#platform/messages";
import {
  bulkCreateObjects,
  countRecords,
  findByKeys,
  findOne,
  findRecords,
  findRelated,
  removeObject,
  saveObject,
  type ApiRecord,
} from "#baas/data";
import { API_ENTITIES } from "#community/api-entities";
import type { Viewer } from "#community/rules";
import { many, run, sql } from "#platform/database";
import {
  createTestDiscussion,
  createTestGroup,
  createTestUsers,
} from "../../../../test/support/test-users.ts";
import { createLeakCommunity } from "../../../../test/support/leak-matrix/community.ts";
import { INSIDE_WORD, GROUP_NAME, SHARED_TAG } from "../../../../test/support/leak-matrix/marker-words.ts";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import { startTestApi, type TestRestApi } from "../../../../test/support/rest/rest-server.ts";

const database = await testDatabase();
const { inTransaction: within, db } = database;
let testApi: TestRestApi;
beforeAll(async () => {
  testApi = await startTestApi(database);
});
afterAll(() => testApi.close());
beforeEach(() => void testApi.forget());

const callerOf = (viewer: Viewer) => ({ userId: viewer.id, roles: [], server: false, viewer });

/** Runs a query as a viewer, like the API. */
async function find(viewer: Viewer, name: string, query: object = {}): Promise<ApiRecord[]> {
  const { tables } = testApi.app;
  return findRecords(tables, callerOf(viewer), await tables.catalogue.table(name), {
    pageSize: 100,
    ...query,
  });
}
async function get(viewer: Viewer, name: string, id: string, query: object = {}): Promise<ApiRecord> {
  const { tables } = testApi.app;
  return findOne(tables, callerOf(viewer), await tables.catalogue.table(name), id, query);
}
const count = async (viewer: Viewer, name: string, where: string) =>
  Number((await find(viewer, name, { props: "Count(objectId) as found", where }))[0]!["found"]);

describe("entities as tables", () => {
  async function place() {
    const people = await createTestUsers(database);
    return { ...people, at: await createLeakCommunity(database, people, "public") };
  }

  test("support conditions, sorting, paging, relations and grouping", async () => {
    const { mira, at } = await place();
    const posts = await find(mira, "Posts", {
      where: `discussionId = '${at.discussionId}'`,
      sortBy: "number desc",
      props: "number,text,stub",
    });
    expect(posts.map((it) => [it["number"], it["stub"]])).toEqual(
      [1, 2, 3, 4].toReversed().map((number) => [number, null]),
    );
    const [first] = await find(mira, "Posts", {
      where: `objectId = '${at.postId}'`,
      loadRelations: "discussion,group,author,reactions",
    });
    expect(first).toMatchObject({
      ___class: "Posts",
      objectId: at.postId,
      created: database.clock.at.getTime(),
      discussion: {
        ___class: "Discussions",
        objectId: at.discussionId,
        tags: [INSIDE_WORD.toLowerCase(), SHARED_TAG],
      },
      group: { ___class: "Groups", name: GROUP_NAME },
      author: { ___class: "Users", username: "mira" },
      reactions: [{ ___class: "Reactions", emoji: "👍" }],
    });
    expect(await count(mira, "Posts", `discussion.title like '${INSIDE_WORD}%' and number > 1`)).toBe(3);
    expect(await count(mira, "Groups", `Discussions[group].objectId = '${at.discussionId}'`)).toBe(1);
    const perGroup = await find(mira, "Memberships", {
      props: "Count(objectId) as found,groupId",
      groupBy: "groupId",
      where: "state = 'member'",
    });
    expect(perGroup.find((it) => it["groupId"] === at.groupId)).toMatchObject({ found: 2 });
    expect(await find(mira, "Collections", { loadRelations: "resources" })).toMatchObject([
      { title: INSIDE_WORD, resources: [{}, {}] },
    ]);
    const [deep] = await find(mira, "Groups", { relationsDepth: 2, where: `objectId = '${at.groupId}'` });
    const discussions = deep!["discussions"] as { objectId: string; posts: ApiRecord[] }[];
    expect(discussions.find(({ objectId }) => objectId === at.discussionId)!.posts).toHaveLength(4);
  });

  test("can be read by id, including composite ids", async () => {
    const { mira, at } = await place();
    expect(await get(mira, "Discussions", at.discussionId)).toMatchObject({ objectId: at.discussionId });
    expect(
      await get(mira, "Memberships", `${at.groupId}:${mira.id}`, { loadRelations: "group" }),
    ).toMatchObject({
      role: "member",
      group: { name: GROUP_NAME },
    });
    for (const id of ["nothing", "", "' or 1=1 --", at.groupId, `${at.groupId}:${at.groupId}`])
      await expect(get(mira, "Posts", id)).rejects.toMatchObject({ code: 1000 });
    for (const where of [
      `objectId = 'x'`,
      `objectId in ('x','y')`,
      `objectId in ('${at.postId}','x') and not (objectId = '${at.postId}')`,
    ])
      expect(await count(mira, "Posts", where)).toBe(0);
    expect(await count(mira, "Posts", `objectId in ('${at.postId}','${at.replyId}','x')`)).toBe(2);
    expect(await count(mira, "Posts", `objectId != '${at.postId}'`)).toBe(
      (await count(mira, "Posts", "")) - 1,
    );
    expect(await count(mira, "Posts", "replyTo = 'x' or not (replyTo = 'x')")).toBe(
      await count(mira, "Posts", "replyTo is not null"),
    );
  });

  test("show relations, counts and matches only as far as the caller may see them", async () => {
    const { mira, guest, at } = await place();
    const { tables } = testApi.app;
    const table = (name: string) => tables.catalogue.table(name);
    const children = async (viewer: Viewer, id: string) =>
      findRelated(tables, callerOf(viewer), await table("Discussions"), id, "posts", { sortBy: "number" });
    expect((await children(mira, at.discussionId)).map((it) => it["number"])).toEqual([1, 2, 3, 4]);
    expect(await children(guest, at.discussionId)).toHaveLength(4);
    await expect(children(mira, "nothing")).rejects.toMatchObject({ code: 1000 });
    await run(
      db,
      sql`update groups set visibility = 'private', join_policy = 'request' where id = ${at.groupId}`,
    );
    await expect(children(guest, at.discussionId)).rejects.toMatchObject({ code: 1000 });
    const number = { discussionId: at.discussionId, number: "2" };
    expect(await findByKeys(tables, callerOf(mira), await table("Posts"), number)).toMatchObject({
      objectId: at.replyId,
    });
    await expect(findByKeys(tables, callerOf(guest), await table("Posts"), number)).rejects.toMatchObject({
      code: 1000,
    });
    const counted = async (viewer: Viewer) =>
      countRecords(tables, callerOf(viewer), await table("Posts"), { where: `groupId = '${at.groupId}'` });
    expect([(await counted(mira)) > 4, await counted(guest)]).toEqual([true, 0]);
  });

  test("use an index for lookups by own and foreign ids", async () => {
    const { mira, at } = await place();
    const plan = await within(async (tx) => {
      await run(tx, sql`set local enable_seqscan = off`);
      const { among } = API_ENTITIES.find(({ name }) => name === "Posts")!.columns.find(
        ({ name }) => name === "discussionId",
      )!;
      return many(
        tx,
        sql<{
          "QUERY PLAN": string;
        }>`explain select 1 from published.posts t where ${among!("t", [at.discussionId])}`,
      );
    });
    expect(plan.map((row) => row["QUERY PLAN"]).join("\n")).toContain("posts_of_discussion");
    expect(await count(mira, "Posts", `discussionId = '${at.discussionId}'`)).toBe(4);
  });
});

test("saved or deleted entity runs its command, or is refused if it has none", async () => {
  const people = await createTestUsers(database);
  const { mira, noor } = people;
  const { tables } = testApi.app;
  const users = (await tables.catalogue.table("Users")).entity!;
  const discussion = await createTestDiscussion(database, mira, (await createTestGroup(database, people)).id);
  const reply = { discussionId: discussion.id, text: "After the ice saints." };
  const { objectId } = await saveObject(tables, callerOf(mira), "Posts", reply);
  const id = String(objectId);
  expect(await get(mira, "Posts", id)).toMatchObject({ number: 2, text: "After the ice saints." });
  expect(
    await saveObject(tables, callerOf(mira), "Posts", { objectId, text: "Not before May." }),
  ).toMatchObject({
    text: "Not before May.",
  });
  await expect(removeObject(tables, callerOf(noor), "Posts", id)).rejects.toMatchObject({
    reason: "not-allowed",
  });
  await removeObject(tables, callerOf(mira), "Posts", id);
  expect(await get(mira, "Posts", id)).toMatchObject({ text: null, stub: "deleted" });
  await expect(
    bulkCreateObjects(tables, callerOf(mira), "Posts", [reply, { ...reply, text: "" }]),
  ).rejects.toMatchObject({
    reason: "invalid",
  });
  expect(await count(mira, "Posts", `discussionId = '${discussion.id}'`)).toBe(2);
  const { postId } = discussion;
  expect(await bulkCreateObjects(tables, callerOf(mira), "Bookmarks", [{ postId }])).toEqual([
    `${postId}:${mira.id}`,
  ]);
  expect(users.create).toBeUndefined();
  expect(toEnglish(users.refusals!.create!)).toMatch(/registering/);
});
