import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { createBot } from "#community/bots";
import { lockDiscussion, setSlowMode } from "#community/discussions";
import { saveWatchedWord, WatchedWordForm } from "#community/prevention";
import {
  createIncomingWebhook,
  IncomingWebhookForm,
  pauseIncomingWebhook,
  rotateIncomingWebhook,
} from "#community/webhooks";
import { DAY } from "#platform/clock";
import { many, run, sql } from "#platform/database";
import { createHttpServer } from "#platform/http";
import { Limits } from "#platform/limits";
import { captureLog } from "../../../test/support/log/captured-log.ts";
import { findSecrets } from "../../../test/support/log/secrets-in-log.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import { createTestDiscussion, createTestGroup, createTestUsers } from "../../../test/support/test-users.ts";
import { serveIncomingWebhooks } from "./index.ts";

const database = await testDatabase();
const { db } = database;
const act = database.inTransaction.bind(database);
const { log, text: logged } = captureLog();
const limits = new Limits();
const server = createHttpServer({ log, trustProxy: false });
serveIncomingWebhooks(server, { database, limits, log, now: () => database.clock.at });
await server.ready();
afterAll(() => server.close());
beforeEach(() => limits.clear());

async function setUp({ startsDiscussions = false } = {}) {
  const people = await createTestUsers(database);
  const { tomas } = people;
  const group = await createTestGroup(database, people, { visibility: "private" });
  const discussion = await createTestDiscussion(database, people.mira, group.id);
  const bot = await act((tx) => createBot(tx, tomas, { groupId: group.id, name: "Builds" }));
  const form = { name: "CI", botId: bot.id, discussion: startsDiscussions ? "" : discussion.id };
  const { id: webhookId, token } = await act((tx) =>
    createIncomingWebhook(tx, tomas, { groupId: group.id, ...IncomingWebhookForm.parse(form) }),
  );
  const scope = { groupId: group.id, webhookId };
  return { ...people, scope, groupId: group.id, discussionId: discussion.id, botId: bot.id, token };
}

const send = (token: string, payload: unknown, type = "application/json", path = "") =>
  server.inject({
    method: "POST",
    url: `/hooks/${token}${path}`,
    payload: typeof payload === "string" ? payload : JSON.stringify(payload),
    headers: { "content-type": type },
  });
const listPosts = () =>
  many(
    db,
    sql<{ body: string; author_id: string }>`select body_md as body, author_id from posts order by id desc`,
  );
const lastText = async () => (await listPosts())[0]!.body;

describe("message of an incoming webhook", () => {
  test("reaches the discussion as a post of the bot, and is counted", async () => {
    const { token, botId } = await setUp();
    const answer = await send(token, { text: "Build **passed**.", title: "Build 12" });
    expect([answer.statusCode, answer.body, answer.headers["cache-control"]]).toEqual([
      200,
      "ok",
      "no-store",
    ]);
    expect((await listPosts())[0]).toEqual({ body: "**Build 12**\n\nBuild **passed**.", author_id: botId });
    expect(await many(db, sql`select messages, used_at from incoming_webhooks`)).toEqual([
      { messages: 1, used_at: database.clock.at },
    ]);
  });

  test("starts a discussion where the webhook has none", async () => {
    const { token } = await setUp({ startsDiscussions: true });
    for (const payload of [
      { title: "Release 2.0", text: "It is out." },
      { text: "**Deploy** of [web](https://web.example) done\nAll is well." },
      { text: "ok" },
    ])
      expect((await send(token, payload)).statusCode).toBe(200);
    const titles = await many(db, sql<{ title: string }>`select title from discussions order by id`);
    expect(titles.slice(1)).toEqual([
      { title: "Release 2.0" },
      { title: "Deploy of web done" },
      { title: "Builds: ok" },
    ]);
  });

  test.each([
    [
      "text",
      { text: "Deploy of <https://a.example|web> &amp; *api* <!channel>" },
      "Deploy of [web](<https://a.example>) & **api** **channel**",
    ],
    [
      "a form field",
      `payload=${encodeURIComponent(JSON.stringify({ text: "*Done* _now_", channel: "#x" }))}`,
      "**Done** *now*",
    ],
    [
      "blocks and attachments",
      {
        blocks: [{ type: "section", text: { type: "mrkdwn", text: "*Alert*" } }, { type: "divider" }],
        attachments: [
          { color: "good", title: "CPU", title_link: "https://a.example/cpu", text: "~90~ 95 %" },
        ],
      },
      "**Alert**\n\n> [CPU](<https://a.example/cpu>)\n> \n> ~~90~~ 95 %",
    ],
  ])("in Slack's shape with %s becomes Markdown", async (_name, payload, markdown) => {
    const { token } = await setUp();
    const type = typeof payload === "string" ? "application/x-www-form-urlencoded" : "application/json";
    const answer = await send(token, payload, type);
    expect([answer.statusCode, answer.body]).toEqual([200, "ok"]);
    expect(await lastText()).toBe(markdown);
  });

  test("has Slack's shape at an address that ends in /slack", async () => {
    const { token } = await setUp();
    expect((await send(token, { text: "*bold*" }, "application/json", "/slack")).body).toBe("ok");
    expect(await lastText()).toBe("**bold**");
  });

  test("in Discord's shape becomes Markdown and gets 204", async () => {
    const { token } = await setUp();
    const embed = {
      title: "Pull request",
      url: "https://a.example/1",
      description: "__Ready__ <:ship:123456789012345678> `<@1>`",
      fields: [{ name: "By", value: "Mira" }],
    };
    const answer = await send(token, { content: "Hello @everyone", username: "Deployer", embeds: [embed] });
    expect([answer.statusCode, answer.body]).toEqual([204, ""]);
    expect(await lastText()).toBe(
      "Hello everyone\n\n> **[Pull request](<https://a.example/1>)**\n>\n" +
        "> **Ready** :ship: `<@1>`\n>\n> **By**\n> Mira",
    );
  });
});

describe("incoming webhook refuses", () => {
  test.each([
    ["no text", { title: "Build" }, 422, "text"],
    ["an empty text", { text: " " }, 422, "text"],
    ["a text of another type", { text: 5 }, 422, "text"],
    ["a text that is too long", { text: "x".repeat(32_001) }, 422, "text"],
    ["an empty Discord message", { content: "" }, 422, "content"],
    ["too many embeds", { embeds: Array.from({ length: 11 }, () => ({ title: "x" })) }, 422, "embeds"],
    ["attachments of another type", { attachments: "x" }, 422, "attachments"],
    ["a list", [], 422, undefined],
    ["invalid JSON", "{", 422, undefined],
    ["nothing", "", 422, undefined],
    ["deep JSON", `{"text":${"[".repeat(5_000)}${"]".repeat(5_000)}}`, 422, undefined],
    ["a body above 64 KB", { text: "x".repeat(70_000) }, 413, undefined],
  ])("%s, naming the field", async (_name, payload, status, field) => {
    const { token } = await setUp();
    const answer = await send(token, payload);
    expect([answer.statusCode, answer.json<{ field?: string }>().field]).toEqual([status, field]);
    expect(await listPosts()).toHaveLength(1);
  });

  test("an unknown token, more than twenty a minute with 429", async () => {
    const { token } = await setUp();
    const wrong = token.slice(0, -1) + (token.endsWith("0") ? "1" : "0");
    for (let n = 0; n < 20; n++) expect((await send(wrong, { text: "Hi" })).statusCode).toBe(404);
    expect((await send(wrong, { text: "Hi" })).statusCode).toBe(429);
    expect((await send(token, { text: "Hi" })).statusCode).toBe(200);
  });

  test("a replaced token after a day", async () => {
    const { token, scope, tomas } = await setUp();
    const next = await act((tx) => rotateIncomingWebhook(tx, tomas, scope));
    for (const it of [token, next]) expect((await send(it, { text: "Hi" })).statusCode).toBe(200);
    database.clock.pass(DAY);
    expect((await send(token, { text: "Hi" })).statusCode).toBe(404);
    expect((await send(next, { text: "Hi" })).statusCode).toBe(200);
  });

  test("more than sixty messages a minute", async () => {
    const { token, scope, tomas } = await setUp();
    await act((tx) => pauseIncomingWebhook(tx, tomas, { ...scope, paused: true }));
    for (let n = 0; n < 60; n++) expect((await send(token, { text: "Hi" })).statusCode).toBe(403);
    const answer = await send(token, { text: "Hi" });
    expect([answer.statusCode, Number(answer.headers["retry-after"]) > 0]).toEqual([429, true]);
  });

  const refusals: [
    name: string,
    change: (at: Awaited<ReturnType<typeof setUp>>) => Promise<unknown>,
    status: number,
    message: RegExp,
  ][] = [
    [
      "a paused webhook",
      ({ tomas, scope }) => act((tx) => pauseIncomingWebhook(tx, tomas, { ...scope, paused: true })),
      403,
      /paused/,
    ],
    [
      "a locked discussion",
      ({ tomas, discussionId }) => act((tx) => lockDiscussion(tx, tomas, { discussionId, reason: "Done." })),
      403,
      /closed for replies/,
    ],
    [
      "an archived discussion",
      () => run(db, sql`update discussions set state = 'archived' where true`),
      403,
      /archived/,
    ],
    [
      "a deleted discussion",
      () => run(db, sql`update discussions set state = 'deleted', deleted_at = now() where true`),
      404,
      /deleted or moved/,
    ],
    [
      "an archived group",
      () => run(db, sql`update groups set state = 'archived' where true`),
      403,
      /archived/,
    ],
    [
      "a deleted group",
      () => run(db, sql`update groups set state = 'deleted' where true`),
      404,
      /group of this webhook was deleted/,
    ],
    [
      "a banned bot",
      ({ botId }) => run(db, sql`update memberships set state = 'banned' where person_id = ${botId}`),
      403,
      /banned/,
    ],
    ["a blocked word", ({ ada }) => saveWord(ada, "block"), 422, /^text: /],
    ["a word that needs approval", ({ ada }) => saveWord(ada, "approve"), 403, /needs approval/],
  ];
  const saveWord = (ada: Parameters<typeof saveWatchedWord>[1], action: string) =>
    act((tx) => saveWatchedWord(tx, ada, WatchedWordForm.parse({ phrase: "casino", action })));

  test.each(refusals)("%s", async (_name, change, status, message) => {
    const at = await setUp();
    await change(at);
    const answer = await send(at.token, { text: "A casino." });
    expect([answer.statusCode, answer.json<{ message: string }>().message]).toEqual([
      status,
      expect.stringMatching(message),
    ]);
    expect(await many(db, sql`select from posts where author_id = ${at.botId}`)).toEqual([]);
  });

  test("a second message within slow mode, but no burst without it", async () => {
    const { token, tomas, discussionId } = await setUp();
    for (let n = 0; n < 5; n++) expect((await send(token, { text: `Line ${n}` })).statusCode).toBe(200);
    await act((tx) => setSlowMode(tx, tomas, { discussionId, seconds: 60, reason: "Slowly." }));
    const answer = await send(token, { text: "Again" });
    expect([answer.statusCode, answer.json<{ message: string }>().message]).toEqual([
      429,
      expect.stringMatching(/Slow mode/),
    ]);
  });

  test("messages that a discussion in another group would get", async () => {
    const { token, tomas, mira, discussionId } = await setUp();
    const other = await createTestGroup(database, { tomas, mira }, { name: "Other", visibility: "public" });
    await run(db, sql`update groups set replies_by = 'readers' where id = ${other.id}`);
    await run(db, sql`update discussions set group_id = ${other.id} where id = ${discussionId}`);
    expect((await send(token, { text: "Hi" })).statusCode).toBe(404);
  });
});

test("incoming webhooks write no token to the log", async () => {
  const { token } = await setUp();
  await send(token, { text: "Hi" });
  await send(token, "{");
  await send(`${token}x`, { text: "Hi" });
  await server.inject({ method: "GET", url: `/hooks/${token}` });
  await server.inject({ method: "POST", url: `/hooks/${token}/other` });
  log.warn({ url: `https://kith.example.org/hooks/${token}` }, `sent to /hooks/${token}`);
  log.warn("sent to /hooks/short-token");
  expect(logged().includes('"path":"/hooks/…"')).toBe(true);
  expect(findSecrets(logged(), [token, "short-token"])).toEqual([]);
});
