import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { addRelation } from "#baas/data";
import { blockPerson } from "#community/friends";
import { joinGroup, leaveGroup } from "#community/groups";
import { API_ENTITIES } from "#community/api-entities";
import { many, run, sql } from "#platform/database";
import {
  createTestDiscussion,
  createTestGroup,
  createTestUsers,
  type TestUsers,
} from "../../../../test/support/test-users.ts";
import { createLeakCommunity } from "../../../../test/support/leak-matrix/community.ts";
import { INSIDE_WORD, GROUP_NAME, PRIVATE_WORD } from "../../../../test/support/leak-matrix/marker-words.ts";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import {
  startTestApi,
  PASSWORD,
  type TestRestApi,
  SERVER,
} from "../../../../test/support/rest/rest-server.ts";

const database = await testDatabase();
const { inTransaction: within, db } = database;
let testApi: TestRestApi;
let people: TestUsers;
beforeAll(async () => {
  testApi = await startTestApi(database);
});
afterAll(() => testApi.close());
beforeEach(async () => {
  testApi.forget();
  people = await createTestUsers(database);
  await testApi.set({ apiCalls: 0, apiCallsOfPerson: 0 });
});

type Sdk = ReturnType<TestRestApi["sdk"]>;
type Wire = Record<string, unknown> & { objectId: string };

/** A person signed in with the published client. */
async function speaking(username: string): Promise<Sdk & { me: string }> {
  const me = await testApi.member(username);
  const sdk = testApi.sdk();
  await sdk.UserService.login(`${username}@example.org`, PASSWORD);
  return Object.assign(sdk, { me });
}
const on = (sdk: Sdk, entity: string) => sdk.Data.of(entity);
const save = async (sdk: Sdk, entity: string, record: object) => (await on(sdk, entity).save(record)) as Wire;
const find = async (sdk: Sdk, entity: string, query: object = {}) =>
  await on(sdk, entity).find<Wire>({ pageSize: 100, ...query });
const fault = (work: Promise<unknown>) =>
  work.then(
    () => null,
    ({ code, message, status }: { code: number; message: string; status: number }) => ({
      code,
      message,
      status,
    }),
  );

describe("community entities with the published client", () => {
  test("support conditions, sorting, paging and relations", async () => {
    const group = await createTestGroup(database, people);
    const { id } = await createTestDiscussion(database, people.mira, group.id);
    const bram = await speaking("bram");
    await save(bram, "Memberships", { groupId: group.id });
    for (const text of ["one", "two", "three"]) await save(bram, "Posts", { discussionId: id, text });
    const query = bram.DataQueryBuilder.create()
      .setWhereClause(`discussionId = '${id}' and ownerId = '${bram.me}'`)
      .setSortBy(["number desc"])
      .setPageSize(2);
    query.setRelated(["discussion", "author"]);
    const page = await on(bram, "Posts").find<Wire>(query);
    expect(page.map((it) => it["text"])).toEqual(["three", "two"]);
    expect(page[0]).toMatchObject({
      ___class: "Posts",
      discussion: { objectId: id },
      author: { username: "bram", email: "bram@example.org" },
    });
    expect(await on(bram, "Posts").getObjectCount(`discussionId = '${id}'`)).toBe(4);
    const discussion = await on(bram, "Discussions").findById<Wire>(id);
    expect(discussion).toMatchObject({ title: "When to sow beans", replies: 3 });
    const posts = await on(bram, "Discussions").loadRelations<Wire>(
      id,
      bram.LoadRelationsQueryBuilder.create().setRelationName("posts").setPageSize(10),
    );
    expect(posts).toHaveLength(4);
    const described = (await bram.Data.describe("Posts")) as { name: string }[];
    expect(described.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["objectId", "text", "discussion"]),
    );
  });

  test("run the same commands as the website when saved or deleted", async () => {
    const group = await createTestGroup(database, people);
    const { id: discussionId } = await createTestDiscussion(database, people.mira, group.id);
    const bram = await speaking("bram");
    expect(await fault(save(bram, "Posts", { discussionId, text: "?" }))).toMatchObject({
      message: "Join the group to reply.",
    });
    const membership = await save(bram, "Memberships", { groupId: group.id });
    expect(membership).toMatchObject({ objectId: `${group.id}:${bram.me}`, state: "member" });
    const post = await save(bram, "Posts", { discussionId, text: "After the ice saints." });
    const changed = await save(bram, "Posts", { ...post, text: "Not before May." });
    expect(changed).toMatchObject({ objectId: post.objectId, text: "Not before May.", number: 2 });
    expect(await on(bram, "Posts").remove(post.objectId)).toMatchObject({
      deletionTime: expect.any(Number) as number,
    });
    expect(await on(bram, "Posts").findById(post.objectId)).toMatchObject({ text: null, stub: "deleted" });
    await on(bram, "Memberships").remove(membership.objectId);
    expect(await fault(save(bram, "Posts", { discussionId, text: "?" }))).toMatchObject({
      message: "Join the group to reply.",
    });
    expect(await fault(save(bram, "Notifications", { kind: "reply" }))).toMatchObject({
      message: "Notifications are created automatically.",
    });
  });

  test("cannot be related through the relations API", async () => {
    const at = await createLeakCommunity(database, people, "public");
    const collection = (await many(db, sql<{ id: string }>`select id from collections`))[0]!.id;
    const bram = await speaking("bram");
    for (const sdk of [bram, testApi.sdk(SERVER), testApi.sdk()])
      for (const relate of [
        () => on(sdk, "Collections").setRelation(collection, "resources", [at.libraryId]),
        () => on(sdk, "Collections").addRelation(collection, "resources", [at.libraryId]),
        () => on(sdk, "Collections").deleteRelation(collection, "resources", "1=1"),
        () => on(sdk, "Discussions").setRelation(at.discussionId, "posts", []),
      ])
        expect(await fault(relate())).toMatchObject({
          message: expect.stringMatching(/cannot be changed here\. .+'(Collections|Posts)'/) as string,
        });
    expect(
      await fault(on(bram, "Posts").setRelation(at.postId, "discussion", [at.discussionId])),
    ).toMatchObject({
      message: expect.stringMatching(/derived from 'Posts'/) as string,
    });
    expect(await many(db, sql`select from collection_items`)).toHaveLength(2);
  });

  test("refuse permissions of single objects and explain the alternative", async () => {
    const at = await createLeakCommunity(database, people, "public");
    const bram = await speaking("bram");
    const { FIND } = (
      bram as unknown as {
        Data: { Permissions: Record<string, { grantUser: (...args: unknown[]) => Promise<unknown> }> };
      }
    ).Data.Permissions;
    const grant = (table: string, objectId: string) =>
      FIND!.grantUser(bram.me, { ___class: table, objectId });
    for (const [table, id, words] of [
      ["Posts", at.postId, /objects of 'Posts' cannot be set: .+data table/],
      ["Comments", at.commentId, /objects of 'Comments' cannot be set/],
      ["Users", people.mira.id, /objects of 'Users' cannot be set: .+KITH_API_DEFAULTS=hosted/],
    ] as const)
      expect(await fault(grant(table, id))).toMatchObject({
        message: expect.stringMatching(words) as string,
      });
  });

  test("may be children of data tables, visible only to readers who can find them", async () => {
    const at = await createLeakCommunity(database, people, "private");
    const bram = await speaking("bram");
    const list = await save(bram, "Lists", { title: "Beds" });
    await addRelation(testApi.app.tables, "Lists", {
      name: "people",
      toTable: "Users",
      relationshipType: "ONE_TO_MANY",
    });
    await addRelation(testApi.app.tables, "Lists", {
      name: "talk",
      toTable: "Discussions",
      relationshipType: "ONE_TO_MANY",
    });
    expect(
      await on(bram, "Lists").addRelation(list.objectId, "people", [people.mira.id, "nobody", bram.me]),
    ).toBe(2);
    expect(await on(bram, "Lists").addRelation(list.objectId, "people", "username = 'tomas'")).toBe(1);
    // A record that the caller cannot find cannot be linked.
    expect(await on(bram, "Lists").addRelation(list.objectId, "talk", [at.discussionId, at.openId])).toBe(1);
    const [found] = await find(bram, "Lists", { loadRelations: "people,talk" });
    expect((found!["people"] as Wire[]).map((it) => it["username"]).sort()).toEqual([
      "bram",
      "mira",
      "tomas",
    ]);
    expect(found!["talk"]).toMatchObject([{ objectId: at.openId }]);
    expect(await on(bram, "Lists").getObjectCount("people.username = 'mira'")).toBe(1);
    expect(await on(bram, "Lists").getObjectCount("people.email like 'mira%'")).toBe(0);
    expect(
      (
        await find(bram, "Users", {
          where: `Lists[people].objectId = '${list.objectId}'`,
          sortBy: "username",
        })
      ).map((it) => it["username"]),
    ).toEqual(["bram", "mira", "tomas"]);
    await within((tx) => blockPerson(tx, people.mira, { personId: bram.me }));
    const [after] = await find(bram, "Lists", { loadRelations: "people" });
    expect((after!["people"] as Wire[]).map((it) => it["username"]).sort()).toEqual(["bram", "tomas"]);
  });

  test("show guests public data only, by find, id, count and relation", async () => {
    const at = await createLeakCommunity(database, people, "secret");
    const bram = await speaking("bram");
    for (const sdk of [bram, testApi.sdk(), testApi.sdk(SERVER)]) {
      const responses: unknown[] = [];
      for (const { name } of API_ENTITIES) responses.push(await find(sdk, name, { loadRelations: "*" }));
      for (const [entity, id] of Object.entries({
        Groups: at.groupId,
        Discussions: at.discussionId,
        Posts: at.postId,
        Messages: at.messageId,
        Resources: at.resourceId,
      })) {
        expect([entity, await fault(on(sdk, entity).findById(id))]).toEqual([
          entity,
          { code: 1000, status: 400, message: `Entity with ID ${id} not found` },
        ]);
        expect([entity, await on(sdk, entity).getObjectCount(`objectId = '${id}'`)]).toEqual([entity, 0]);
      }
      const posts = sdk.LoadRelationsQueryBuilder.create().setRelationName("posts");
      expect(await fault(on(sdk, "Discussions").loadRelations(at.discussionId, posts))).toMatchObject({
        code: 1000,
      });
      const allText = JSON.stringify(responses);
      for (const word of [GROUP_NAME, INSIDE_WORD, PRIVATE_WORD])
        expect([word, allText.includes(word)]).toEqual([word, false]);
    }
  });

  test("cannot be found by a person who has left their group", async () => {
    const group = await createTestGroup(database, people, {
      visibility: "private",
      joinPolicy: "open",
      name: GROUP_NAME,
    });
    await createTestDiscussion(database, people.mira, group.id, { title: INSIDE_WORD, body: INSIDE_WORD });
    const bram = await speaking("bram");
    const titles = async () => (await find(bram, "Discussions")).map((it) => it["title"]);
    const viewer = { id: bram.me, role: "member", trust: "established", limited: false } as const;
    expect(await titles()).toEqual([]);
    await within((tx) => joinGroup(tx, viewer, { groupId: group.id }));
    expect(await titles()).toEqual([INSIDE_WORD]);
    await within((tx) => leaveGroup(tx, viewer, { groupId: group.id }));
    expect(await titles()).toEqual([]);
    await run(db, sql`update memberships set state = 'banned' where person_id = ${bram.me}`);
    expect(await titles()).toEqual([]);
  });
});
