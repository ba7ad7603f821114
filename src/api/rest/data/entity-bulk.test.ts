import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { many, sql } from "#platform/database";
import {
  createTestDiscussion,
  createTestGroup,
  listEmittedEvents,
  createTestUsers,
  type TestUsers,
} from "../../../../test/support/test-users.ts";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import { startTestApi, PASSWORD, type TestRestApi } from "../../../../test/support/rest/rest-server.ts";

const database = await testDatabase();
const { db } = database;
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

type Wire = Record<string, unknown> & { objectId: string };

/** Bram, signed in with the client, and a discussion in a group he has joined. */
async function place() {
  const me = await testApi.member("bram");
  const sdk = testApi.sdk();
  await sdk.UserService.login("bram@example.org", PASSWORD);
  const group = await createTestGroup(database, people);
  await sdk.Data.of("Memberships").save({ groupId: group.id });
  const discussion = await createTestDiscussion(database, people.mira, group.id);
  return { me, sdk, posts: sdk.Data.of("Posts"), groupId: group.id, discussionId: discussion.id };
}
const texts = async () =>
  (
    await many(
      db,
      sql<{ text: string }>`select body_md as text from posts where state = 'published' order by number`,
    )
  ).map(({ text }) => text);
const resultOf = (operation: unknown) => (operation as { getResult: () => unknown }).getResult();
const refused = (work: Promise<unknown>) =>
  work.then(
    () => null,
    ({ code, message }: { code: number; message: string }) => ({ code, message }),
  );
const FIRST = "The soil is still cold.";

describe("bulk operations on community entities", () => {
  test("run one command per entity, each with its own event", async () => {
    const { me, posts, discussionId } = await place();
    const before = (await listEmittedEvents(database)).length;
    const ids = await posts.bulkCreate([
      { discussionId, text: "one" },
      { discussionId, text: "two" },
    ]);
    expect(await texts()).toEqual([FIRST, "one", "two"]);
    const upserted = await posts.bulkUpsert([
      { objectId: ids[0], text: "one, changed" },
      { discussionId, text: "three" },
    ] as never);
    expect(upserted).toEqual([ids[0], expect.any(String)]);
    expect(await posts.bulkUpdate(`ownerId = '${me}' and text like 't%'`, { text: "again" })).toBe(2);
    expect(await texts()).toEqual([FIRST, "one, changed", "again", "again"]);
    expect(await posts.bulkDelete([{ objectId: ids[0] }, { objectId: ids[1] }] as never)).toBe(2);
    expect(await texts()).toEqual([FIRST, "again"]);
    const events = (await listEmittedEvents(database)).slice(before);
    expect(events.filter((type) => type === "post.written")).toHaveLength(3);
  });

  test("apply completely or not at all, and only to the caller's own entities", async () => {
    const { posts, discussionId } = await place();
    await posts.bulkCreate([{ discussionId, text: "mine" }]);
    const before = [await texts(), await listEmittedEvents(database)];
    expect(
      await refused(
        posts.bulkCreate([
          { discussionId, text: "two" },
          { discussionId, text: "" },
        ]),
      ),
    ).toMatchObject({ code: 422 });
    expect(await refused(posts.bulkDelete(`discussionId = '${discussionId}'`))).toMatchObject({ code: 403 });
    expect(
      await refused(posts.bulkUpdate(`discussionId = '${discussionId}'`, { text: "taken over" })),
    ).toMatchObject({
      code: 403,
    });
    expect(
      await refused(testApi.sdk().Data.of("Posts").bulkDelete(`discussionId = '${discussionId}'`)),
    ).toMatchObject({ code: 401 });
    expect([await texts(), await listEmittedEvents(database)]).toEqual(before);
    // A caller cannot change records that they cannot find.
    expect(await posts.bulkDelete("objectId in ('01900000-0000-7000-8000-000000000000')")).toBe(0);
  });

  test("accept at most a hundred entities", async () => {
    const { posts, discussionId } = await place();
    const bookmark = (n: number) => ({ discussionId, text: `n${n}` });
    expect(await refused(posts.bulkCreate(Array.from({ length: 101 }, (_, n) => bookmark(n))))).toMatchObject(
      { code: 1021 },
    );
    await database.pool.query(
      "insert into settings (key, value, changed_at) values ('writingLimits', 'false', now()) on conflict do nothing",
    );
    expect(await posts.bulkCreate(Array.from({ length: 100 }, (_, n) => bookmark(n)))).toHaveLength(100);
    expect(await refused(posts.bulkDelete("1=1"))).toMatchObject({ code: 1021 });
    expect(await texts()).toHaveLength(101);
  });

  test("explain why an operation without a command is refused", async () => {
    const { sdk } = await place();
    const reason = { message: "Notifications are created automatically." };
    expect(await refused(sdk.Data.of("Notifications").bulkCreate([{ kind: "reply" }]))).toMatchObject(reason);
    expect(await refused(sdk.Data.of("Users").bulkDelete("1=1"))).toMatchObject({
      message: expect.stringMatching(/account's owner can close it/) as string,
    });
  });
});

describe("transaction with community entities", () => {
  test("runs commands between table operations, with references in both directions", async () => {
    const { me, sdk, discussionId } = await place();
    await sdk.Data.of("Seen").save({ post: "", by: "" });
    const unit = new sdk.UnitOfWork();
    const post = unit.create("Posts", { discussionId, text: "First the beans." } as never);
    const operation = unit.create("Seen", { post, by: post.resolveTo("ownerId") } as never);
    const bookmark = unit.create("Bookmarks", { postId: post } as never);
    const changed = unit.update("Posts", { objectId: post, text: "First the peas." } as never);
    const more = unit.bulkCreate("Posts", [
      { discussionId, text: "a", replyTo: post },
      { discussionId, text: "b" },
    ] as never);
    const found = unit.find(
      "Posts",
      sdk.DataQueryBuilder.create().setWhereClause(`ownerId = '${me}'`).setSortBy("number"),
    );
    const counted = unit.bulkUpdate("Posts", `ownerId = '${me}' and text in ('a', 'b')`, {
      text: "c",
    } as never);
    const bulkDeletion = unit.bulkDelete(more as never);
    const removed = unit.delete("Bookmarks", bookmark);
    const result = await unit.execute();
    expect([result.isSuccess(), result.getError()]).toEqual([true, null]);
    const { objectId } = resultOf(post) as Wire;
    expect([post, operation, changed, found, counted, bulkDeletion, removed].map(resultOf)).toMatchObject([
      { ___class: "Posts", text: "First the beans.", number: 2 },
      { post: objectId, by: me },
      { objectId, text: "First the peas." },
      [{ objectId }, { text: "a", replyTo: objectId }, { text: "b" }],
      2,
      2,
      expect.any(Number),
    ]);
    expect(await texts()).toEqual([FIRST, "First the peas."]);
    expect(await many(db, sql`select from bookmarks`)).toEqual([]);
  });

  test("rolls back completely when a command refuses, and reports the operation", async () => {
    const { sdk, discussionId, groupId } = await place();
    const before = [await texts(), await listEmittedEvents(database)];
    for (const [refuse, words] of [
      [(unit) => unit.create("Posts", { discussionId, text: "" }), /Write something first/],
      [(unit) => unit.bulkDelete("Posts", "number = 1"), /./],
      [(unit) => unit.update("Groups", { objectId: groupId, name: "Mine" }), /./],
      [(unit) => unit.create("Users", { email: "a@example.org" }), /registering/],
      [(unit) => unit.setRelation("Discussions", discussionId, "posts", ["x"]), /cannot be changed here/],
    ] as [
      (unit: {
        [K in "create" | "update" | "bulkDelete" | "setRelation"]: (...input: unknown[]) => unknown;
      }) => unknown,
      RegExp,
    ][]) {
      const unit = new sdk.UnitOfWork();
      unit.create("Posts", { discussionId, text: "Never seen." } as never);
      const operation = refuse(unit as never);
      const { success, error } = (await unit.execute()) as unknown as {
        success: boolean;
        error: { message: string; operation: unknown };
      };
      expect([success, error.message]).toEqual([false, expect.stringMatching(words)]);
      expect(error.operation).toBe(operation);
    }
    expect([await texts(), await listEmittedEvents(database)]).toEqual(before);
  });

  test("accepts read committed as the only isolation level", async () => {
    const { sdk, discussionId } = await place();
    const { IsolationLevelEnum } = sdk.UnitOfWork;
    const one = async (text: string, level?: keyof typeof IsolationLevelEnum) => {
      const unit = new sdk.UnitOfWork(level && IsolationLevelEnum[level]);
      unit.create("Posts", { discussionId, text } as never);
      return (await unit.execute()) as unknown as {
        success: boolean;
        error: { code: number; message: string } | null;
      };
    };
    expect((await one("a", "SERIALIZABLE")).error).toMatchObject({
      code: 1023,
      message: expect.stringMatching(/READ_COMMITTED/) as string,
    });
    expect((await one("a", "REPEATABLE_READ")).success).toBe(false);
    const all = await Promise.all([one("b"), one("b"), one("b"), one("b", "READ_COMMITTED"), one("b")]);
    expect(all.map(({ success }) => success)).toEqual([true, true, true, true, true]);
    expect(await texts()).toEqual([FIRST, "b", "b", "b", "b", "b"]);
  });

  test("changes at most a hundred entities over all operations", async () => {
    const { sdk, discussionId } = await place();
    const unit = new sdk.UnitOfWork();
    const posts = Array.from({ length: 60 }, (_, n) => ({ discussionId, text: `n${n}` }));
    unit.bulkCreate("Posts", posts as never);
    unit.bulkCreate("Posts", posts as never);
    expect(await unit.execute()).toMatchObject({ success: false, error: { code: 1021 } });
    expect(await texts()).toEqual([FIRST]);
  });
});
