import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { API_ENTITIES } from "#community/api-entities";
import { createTestUsers, type TestUsers } from "../../../test/support/test-users.ts";
import { createLeakCommunity, type LeakCommunity } from "../../../test/support/leak-matrix/community.ts";
import {
  DELETED_WORD,
  INSIDE_WORD,
  GROUP_NAME,
  PRIVATE_WORD,
} from "../../../test/support/leak-matrix/marker-words.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import {
  APP,
  CLIENT,
  startTestApi,
  PASSWORD,
  type TestRestApi,
  SERVER,
} from "../../../test/support/rest/rest-server.ts";

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

const q = encodeURIComponent;

/** Every URL at which plain calls read an entity, with all its relations. */
const readsOf = (name: string): [method: string, path: string, body?: unknown][] => [
  ["GET", `/data/${name}?pageSize=100&loadRelations=*`],
  ["GET", `/data/${name}?pageSize=100&relationsDepth=1&relationsPageSize=20`],
  ["GET", `/data/${name}/first?loadRelations=*`],
  ["GET", `/data/${name}/last?loadRelations=*`],
  ["GET", `/data/${name}/last?loadRelations=*&sortBy=objectId`],
  ["POST", `/data/${name}/find?pageSize=100&loadRelations=*`, {}],
];

/** URLs that name content of the secret group or of conversations of others. */
const namedReads = (): [method: string, path: string, body?: unknown][] => [
  ...Object.entries({
    Groups: at.groupId,
    Discussions: at.discussionId,
    Posts: at.postId,
    Messages: at.messageId,
    Resources: at.resourceId,
  }).map(([name, id]): [string, string] => ["GET", `/data/${name}/${id}?loadRelations=*`]),
  ["POST", `/data/Discussions/${at.discussionId}/posts/load`, {}],
  ["POST", `/data/Groups/${at.groupId}/discussions/load`, {}],
  ["POST", `/data/Conversations/${at.conversationId}/messages/load`, {}],
];

async function tokenOf(username: string): Promise<string> {
  await testApi.member(username);
  const login = { login: `${username}@example.org`, password: PASSWORD };
  const { body } = await testApi.call("POST", `/${APP}/${CLIENT}/users/login`, login);
  return (body as Record<string, string>)["user-token"]!;
}

describe("REST calls by outsiders", () => {
  test.each(["guest", "stranger", "server key"])(
    "reveal nothing to a %s about a secret group or messages of others",
    async (who) => {
      const headers: Record<string, string> =
        who === "stranger" ? { "user-token": await tokenOf("bram") } : {};
      const base = `/${APP}/${who === "server key" ? SERVER : CLIENT}`;
      const ask = (method: string, path: string, body?: unknown) =>
        testApi.call(method, base + path, body, headers);
      const responses: string[] = [];
      for (const { name } of API_ENTITIES)
        for (const read of readsOf(name)) {
          const { status, text } = await ask(...read);
          expect([read, status < 500]).toEqual([read, true]);
          responses.push(text);
        }
      for (const user of [people.mira.id, people.noor.id])
        responses.push((await ask("GET", `/users/${user}?loadRelations=*`)).text);
      if (who !== "server key") expect(responses.join()).toContain(at.openId);
      for (const word of [GROUP_NAME, INSIDE_WORD, PRIVATE_WORD, DELETED_WORD])
        expect([word, responses.join().includes(word)]).toEqual([word, false]);
      for (const read of namedReads())
        expect([read, (await ask(...read)).body]).toEqual([read, expect.objectContaining({ code: 1000 })]);
      for (const [name, word, column] of [
        ["Posts", INSIDE_WORD, "text"],
        ["Groups", GROUP_NAME, "name"],
        ["Messages", PRIVATE_WORD, "text"],
      ] as const) {
        const where = `?where=${q(`${column} like '%${word}%'`)}`;
        expect([name, (await ask("GET", `/data/${name}/count${where}`)).body]).toEqual([name, 0]);
        expect([name, (await ask("GET", `/data/${name}/first${where}`)).body]).toEqual([
          name,
          expect.objectContaining({ code: 1000 }),
        ]);
      }
    },
  );

  test("refuse guests in a private community", async () => {
    await testApi.set({ audience: "private" });
    for (const read of [
      ...API_ENTITIES.flatMap(({ name }) => readsOf(name)),
      ["GET", `/users/${people.mira.id}`] as [string, string],
    ])
      expect([read, (await testApi.call(read[0], `/${APP}/${CLIENT}${read[1]}`, read[2])).status]).toEqual([
        read,
        401,
      ]);
  });
});
