import { beforeEach, expect, test } from "vitest";
import { getDraft, draftTargets } from "#community/discussions";
import {
  type TestUsers,
  createTestDiscussion,
  createTestGroup,
  createTestUsers,
} from "../support/test-users.ts";
import { one, sql } from "#platform/database";
import { uuidv7 } from "#platform/ids";
import { serveBuiltPages } from "../support/built-pages.ts";
import { testDatabase } from "../support/setup/test-database.ts";

const database = await testDatabase();
const { server, as } = await serveBuiltPages(database);
let people: TestUsers;
let discussionId: string;

beforeEach(async () => {
  people = await createTestUsers(database);
  const group = await createTestGroup(database, people);
  discussionId = (await createTestDiscussion(database, people.mira, group.id)).id;
});

const post = (url: string, headers: Record<string, string>, fields: Record<string, string>) =>
  server.inject({
    method: "POST",
    url,
    headers: {
      ...headers,
      origin: "http://kith.test",
      host: "kith.test",
      "content-type": "application/x-www-form-urlencoded",
    },
    payload: new URLSearchParams(fields).toString(),
  });
const posts = async () =>
  (await one(database.db, sql<{ count: number }>`select count(*)::int as count from posts`)).count;

test("a form is rejected if another person has since signed in in the same browser", async () => {
  const { mira, tomas } = people;
  const words = () => ({ body: "Only Mira says so.", clientId: uuidv7(), writer: mira.id });
  const refused = await post(`/discussions/${discussionId}/replies`, as(tomas), words());
  expect([refused.statusCode, await posts()]).toEqual([401, 1]);
  const whole = await post(`/discussions/${discussionId}`, as(tomas), { ...words(), intent: "reply" });
  expect([whole.statusCode, await posts()]).toEqual([401, 1]);
  expect(whole.body).toContain("Someone else is signed in");
  const sent = await post(`/discussions/${discussionId}/replies`, as(mira), words());
  expect([sent.statusCode, await posts()]).toEqual([200, 2]);
});

test("a form opened by another person neither creates nor deletes a draft", async () => {
  const { mira, tomas } = people;
  const at = draftTargets.discussion(discussionId);
  const keep = (headers: Record<string, string>, body: string, writer: string, version = "0") =>
    post("/drafts/keep", headers, { place: at, version, body, writer });
  expect((await keep(as(tomas), "What Mira has begun", mira.id)).statusCode).toBe(401);
  expect(await getDraft(database.db, tomas, at)).toBeNull();
  expect((await keep(as(tomas), "What Tomas has begun", tomas.id)).statusCode).toBe(200);
  expect((await keep(as(tomas), "", mira.id, "1")).statusCode).toBe(401);
  expect(await getDraft(database.db, tomas, at)).toMatchObject({ body: "What Tomas has begun" });
});
