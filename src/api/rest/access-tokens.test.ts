import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  createAccessToken,
  hashPassword,
  NewAccessToken,
  revokeAccessToken,
  setStatus,
} from "#community/accounts";
import { type SignedIn, TOKEN_SCOPES } from "#community/rules";
import { createLeakCommunity, type LeakCommunity } from "../../../test/support/leak-matrix/community.ts";
import { GROUP_NAME, INSIDE_WORD, PRIVATE_WORD } from "../../../test/support/leak-matrix/marker-words.ts";
import { ADMIN, testViewer } from "../../../test/support/accounts/accounts-context.ts";
import {
  APP,
  CLIENT,
  startTestApi,
  PASSWORD,
  SERVER,
  type TestRestApi,
} from "../../../test/support/rest/rest-server.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import { createTestUsers, type TestUsers } from "../../../test/support/test-users.ts";
import { API_ENTITIES } from "#community/api-entities";
import { run, sql } from "#platform/database";
import { ENDPOINTS } from "./index.ts";

const database = await testDatabase();
let testApi: TestRestApi;
let people: TestUsers;
let at: LeakCommunity;
beforeAll(async () => {
  testApi = await startTestApi(database);
});
afterAll(() => testApi.close());
beforeEach(async () => {
  testApi.forget();
  people = await createTestUsers(database);
  at = await createLeakCommunity(database, people, "secret");
  await testApi.set({ apiCalls: 0, apiCallsOfPerson: 0 });
});

/** Gives a person the test password, and creates a token. */
const createToken = (viewer: SignedIn, ...scopes: string[]) => createLimitedToken(viewer, [], scopes);
async function createLimitedToken(viewer: SignedIn, groupIds: string[], scopes: readonly string[]) {
  const hash = await hashPassword(PASSWORD);
  await run(database.db, sql`update people set password_hash = ${hash} where id = ${viewer.id}`);
  const input = NewAccessToken.parse({ name: "Script", scopes, groupIds, lifetime: "90" });
  return createAccessToken(testApi.app, viewer, input, { proof: PASSWORD, sessionId: null });
}
async function clientWith(viewer: SignedIn, ...scopes: string[]) {
  const sdk = testApi.sdk();
  sdk.LocalCache.set("user-token", (await createToken(viewer, ...scopes)).token);
  return sdk;
}
const plain = (token: string, method: string, path: string, body?: unknown, key = CLIENT) =>
  testApi.call(method, `/${APP}/${key}${path}`, body, { authorization: `Bearer ${token}` });
const CLOSED = { status: 403, body: { message: "This cannot be done with a personal access token." } };
const lacks = (scope: string) => ({
  code: 403,
  message: `This access token does not have the scope “${scope}”.`,
});

describe("published client with an access token as its user token", () => {
  test("reads and writes as the person within the scopes", async () => {
    const sdk = await clientWith(people.mira, "discussions:write", "groups:read");
    const found = await sdk.Data.of("Discussions").findById<{ title: string }>(at.discussionId);
    expect(found.title).toContain(INSIDE_WORD);
    const saved = await sdk.Data.of("Posts").save<Record<string, unknown>>({
      discussionId: at.discussionId,
      text: "From a script.",
    });
    expect(saved).toMatchObject({ text: "From a script.", ownerId: people.mira.id });
    const posts = (await sdk.CustomServices.invoke("Posts", "reply", {
      discussionId: at.discussionId,
      body: "From a service.",
      clientId: "01900000-0000-7000-8000-00000000abcd",
    })) as { number: number };
    expect(posts.number).toBeGreaterThan(1);
    expect(await sdk.Data.of("Groups").getObjectCount()).toBeGreaterThan(0);
    await expect(
      sdk.Data.of("Groups").save({ objectId: at.groupId, purpose: "Other" }),
    ).rejects.toMatchObject(lacks("groups:write"));
    await expect(sdk.Data.of("Messages").find()).rejects.toMatchObject(lacks("messages:read"));
    await expect(sdk.Data.of("Users").find()).rejects.toMatchObject(lacks("profile:read"));
  });

  test("cannot reach another area through relations, conditions or groups of records", async () => {
    const sdk = await clientWith(people.mira, "discussions:read");
    const from = sdk.Data.of("Posts");
    const query = () => sdk.DataQueryBuilder.create();
    const [relation] = API_ENTITIES.find(({ name }) => name === "Posts")!.relations.filter(
      ({ toTable }) => toTable === "Users",
    );
    const { name } = relation!;
    for (const builder of [
      query().setRelated([name]),
      query().setWhereClause(`${name}.name like '%a%'`),
      query().setProperties([`${name}.name as who`]),
      query().setSortBy([`${name}.name`]),
    ])
      await expect(from.find(builder)).rejects.toMatchObject(lacks("profile:read"));
    await expect(
      from.loadRelations(at.postId, sdk.LoadRelationsQueryBuilder.create().setRelationName(name)),
    ).rejects.toMatchObject(lacks("profile:read"));
    await expect(from.find(query().setRelationsDepth(1))).rejects.toMatchObject({ code: 403 });
    expect((await from.find(query())).length).toBeGreaterThan(0);
  });
});

describe("access token", () => {
  test("works as a bearer token, and each response states the remaining calls", async () => {
    await testApi.set({ apiCalls: 3, apiCallsOfPerson: 0 });
    const [first, second] = [
      await createToken(people.mira, "groups:read"),
      await createToken(people.mira, "groups:read"),
    ];
    const left: unknown[] = [];
    for (const token of [first.token, first.token, first.token, second.token]) {
      const { status, headers } = await plain(token, "GET", "/data/Groups?pageSize=1");
      left.push([status, headers.get("ratelimit-limit"), headers.get("ratelimit-remaining")]);
      expect(Number(headers.get("ratelimit-reset"))).toBeGreaterThan(290);
    }
    expect(left).toEqual([
      [200, "3", "2"],
      [200, "3", "1"],
      [200, "3", "0"],
      [200, "3", "2"],
    ]);
    const refused = await plain(first.token, "GET", "/data/Groups?pageSize=1");
    expect([refused.status, Number(refused.headers.get("retry-after")) > 290]).toEqual([429, true]);
  });

  test("works only for endpoints that allow access tokens, and never with the server key", async () => {
    const { token } = await createToken(people.ada, ...TOKEN_SCOPES);
    const open = ENDPOINTS.filter(({ forTokens }) => forTokens).map(
      ({ method, path }) => `${method} ${path}`,
    );
    expect(open.toSorted()).toEqual([
      "DELETE /data/:table/:id",
      "DELETE /services/:service/:method",
      "DELETE /services/:service/:version/:method",
      "GET /data/:table",
      "GET /data/:table/:id",
      "GET /data/:table/:id/:relation",
      "GET /data/:table/count",
      "GET /data/:table/first",
      "GET /data/:table/last",
      "GET /data/:table/pk",
      "GET /data/:table/properties",
      "GET /services/:service/:method",
      "GET /services/:service/:version/:method",
      "POST /data/:table",
      "POST /data/:table/:id/:relation/load",
      "POST /data/:table/count",
      "POST /data/:table/find",
      "POST /data/data-grouping/:table",
      "POST /data/data-grouping/:table/count",
      "POST /services/:service/:method",
      "POST /services/:service/:version/:method",
      "PUT /data/:table",
      "PUT /data/:table/:id",
      "PUT /services/:service/:method",
      "PUT /services/:service/:version/:method",
    ]);
    for (const { method, path, forTokens } of ENDPOINTS) {
      if (forTokens) continue;
      const filled = path.replaceAll(/:\w+|\*/g, "Groups");
      expect([path, await plain(token, method, filled, method === "GET" ? undefined : {})]).toMatchObject([
        path,
        CLOSED,
      ]);
    }
    expect(await plain(token, "GET", "/data/Groups", undefined, SERVER)).toMatchObject(CLOSED);
  });

  test("reaches no data table, extension, queued call or notification", async () => {
    const { token } = await createToken(people.ada, ...TOKEN_SCOPES);
    await testApi.sdk(SERVER).Data.of("Beds").save({ name: "North" });
    for (const [method, path, body] of [
      ["GET", "/data/Beds"],
      ["POST", "/data/Beds/find", {}],
      ["PUT", "/data/Beds", { name: "South" }],
      ["PUT", "/data/Newly", { name: "South" }],
      ["GET", "/data/Beds/properties"],
      ["GET", "/data/Notifications"],
      ["POST", "/services/Notifications/markAllRead", {}],
      ["POST", "/services/Users/updatePrivacy", {}],
    ] as const)
      expect([path, await plain(token, method, path, body)]).toMatchObject([path, { status: 403 }]);
    const queued = await testApi.call(
      "POST",
      `/${APP}/${CLIENT}/services/Groups/leave`,
      { groupId: at.groupId },
      { "user-token": token, "bl-execution-type": "async" },
    );
    expect(queued).toMatchObject(CLOSED);
  });

  test("cannot change a password or an address, also with the hosted defaults", async () => {
    const { token } = await createToken(people.mira, ...TOKEN_SCOPES);
    const change = { objectId: people.mira.id, password: "another one", email: "other@example.org" };
    expect((await plain(token, "PUT", "/data/Users", change)).status).toBe(403);
    expect(await plain(token, "PUT", `/users/${people.mira.id}`, change)).toMatchObject(CLOSED);
    await testApi.set({ apiDefaults: "hosted" });
    testApi.forget();
    expect(await plain(token, "PUT", "/data/Users", change)).toMatchObject(CLOSED);
    expect(
      await plain(token, "PUT", "/data/Users", { email: "new@example.org", password: "x" }),
    ).toMatchObject(CLOSED);
  });

  test("ends at once when it is revoked or its person is suspended", async () => {
    const [miras, noors] = [
      await createToken(people.mira, "groups:read"),
      await createToken(people.noor, "groups:read"),
    ];
    const read = (token: string) => plain(token, "GET", "/data/Groups");
    expect([(await read(miras.token)).status, (await read(noors.token)).status]).toEqual([200, 200]);
    await revokeAccessToken(testApi.app, people.mira, miras.id);
    await database.inTransaction((tx) =>
      setStatus(tx, testViewer(ADMIN.id, "admin"), {
        personId: people.noor.id,
        state: "suspended",
        reason: "Spam",
      }),
    );
    for (const { token } of [miras, noors])
      expect(await read(token)).toMatchObject({ status: 400, body: { code: 3064 } });
    expect(await read(`${miras.token.slice(0, -1)}_`)).toMatchObject({ body: { code: 3064 } });
  });

  test("reaches nothing outside the groups that it is limited to", async () => {
    const { token } = await createLimitedToken(people.mira, [at.groupId], TOKEN_SCOPES);
    const inGroups = [
      "Discussions",
      "Posts",
      "Reactions",
      "Memberships",
      "Resources",
      "Comments",
      "Events",
      "Attendances",
      "Collections",
    ];
    for (const { name } of API_ENTITIES.filter((it) => it.name !== "Notifications")) {
      const { status, body } = await plain(token, "GET", `/data/${name}?pageSize=100`);
      const key = name === "Groups" ? "objectId" : "groupId";
      const groups =
        status === 200
          ? [...new Set((body as unknown as Record<string, unknown>[]).map((it) => it[key]))]
          : [];
      if (name === "Groups" || inGroups.includes(name))
        expect([name, status, groups]).toEqual([name, 200, [at.groupId]]);
      else expect([name, status, groups]).toEqual([name, name === "Bookmarks" ? 200 : 403, []]);
    }
    const post = (discussionId: string) =>
      plain(token, "POST", "/data/Posts", { discussionId, text: "Hello." });
    expect([(await post(at.discussionId)).status, (await post(at.openId)).status]).toEqual([200, 404]);
    const reply = (discussionId: string) =>
      plain(token, "POST", "/services/Posts/reply", { discussionId, body: "Hello again." });
    expect([(await reply(at.discussionId)).status, (await reply(at.openId)).status]).toEqual([200, 404]);
    const group = { name: "Another one", visibility: "public", joinPolicy: "open" };
    expect(await plain(token, "POST", "/services/Groups/create", group)).toMatchObject({ status: 403 });
    await expect(createLimitedToken(people.noor, [at.groupId], TOKEN_SCOPES)).rejects.toMatchObject({
      reason: "invalid",
      fields: { groupIds: "Choose groups that you are a member of." },
    });
  });

  test("with all scopes reads nothing that its person may not see", async () => {
    const readAll = async (viewer: SignedIn) => {
      const { token } = await createToken(viewer, ...TOKEN_SCOPES);
      const responses: string[] = [];
      for (const { name } of API_ENTITIES)
        if (name !== "Notifications")
          responses.push((await plain(token, "GET", `/data/${name}?pageSize=100&relationsDepth=1`)).text);
      for (const [name, id] of [
        ["Groups", at.groupId],
        ["Discussions", at.discussionId],
        ["Posts", at.postId],
        ["Messages", at.messageId],
        ["Resources", at.resourceId],
      ])
        responses.push((await plain(token, "GET", `/data/${name}/${id}`)).text);
      return responses.join("\n");
    };
    const inside = await readAll(people.mira);
    for (const word of [GROUP_NAME, INSIDE_WORD, PRIVATE_WORD]) expect(inside).toContain(word);
    for (const outsider of [people.noor, people.ada, people.ines]) {
      const outside = await readAll(outsider);
      for (const word of [GROUP_NAME, INSIDE_WORD, PRIVATE_WORD]) expect(outside).not.toContain(word);
    }
  });
});
