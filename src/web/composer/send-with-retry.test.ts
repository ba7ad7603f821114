import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { NewReply, getPostsPage, getDiscussion, reply } from "#community/discussions";
import { HTTP_STATUS, Refusal } from "#platform/refusal";
import { createTestDiscussion, createTestGroup, createTestUsers } from "../../../test/support/test-users.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import { sendWithRetry } from "./send-with-retry.ts";

const database = await testDatabase();
const atOnce = () => Promise.resolve();

/** Every fifth response and every seventh request is lost, always the same ones. */
function badLine() {
  let calls = 0;
  return async (work: () => Promise<Response>) => {
    calls += 1;
    if (calls % 7 === 0) throw new TypeError("Failed to fetch");
    const answer = await work();
    if (calls % 5 === 0) throw new TypeError("Failed to fetch");
    return answer;
  };
}

describe("sending over an unreliable connection", () => {
  test("stores each reply exactly once and in order", async () => {
    const people = await createTestUsers(database);
    const group = await createTestGroup(database, people);
    const { id } = await createTestDiscussion(database, people.mira, group.id);
    const line = badLine();
    const words = Array.from({ length: 300 }, (_, at) => `Reply ${at}`);
    for (const body of words) {
      const clientId = randomUUID();
      const send = () =>
        line(async () => {
          const input = NewReply.parse({ discussionId: id, body, clientId });
          return Response.json(await database.inTransaction((tx) => reply(tx, people.mira, input)));
        });
      expect(await sendWithRetry(send, atOnce)).toMatchObject({ plain: [] });
    }
    const discussion = await getDiscussion(database.db, people.mira, id);
    expect(discussion.lastNumber).toBe(words.length + 1);
    const stored: string[] = [];
    for (let page = 1; page <= 16; page += 1)
      stored.push(
        ...(await getPostsPage(database.db, people.mira, discussion, { page })).posts.map(
          (post) => post.html!,
        ),
      );
    expect(stored.slice(1)).toEqual(words.map((body) => `<p>${body}</p>\n`));
  });

  test("stores a post only once if it arrives twice at the same time", async () => {
    const people = await createTestUsers(database);
    const group = await createTestGroup(database, people);
    const { id } = await createTestDiscussion(database, people.mira, group.id);
    const input = NewReply.parse({ discussionId: id, body: "Only once", clientId: randomUUID() });
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => database.inTransaction((tx) => reply(tx, people.mira, input))),
    );
    expect(new Set(answers.map(({ number }) => number))).toEqual(new Set([2]));
    expect((await getDiscussion(database.db, people.mira, id)).lastNumber).toBe(2);
  });
});

describe("end of retries", () => {
  const refused = (error: Refusal) =>
    Response.json(
      {
        refused: {
          message: error.message,
          fields: error.fields,
          reason: error.reason,
          retryAfter: error.retryAfter,
        },
        typed: {},
      },
      { status: HTTP_STATUS[error.reason] },
    );
  /** Outcome after these responses, and the number of requests. */
  async function after(...answers: (() => Response)[]) {
    let asked = 0;
    const outcome = await sendWithRetry(
      async () => answers[Math.min(asked++, answers.length - 1)]!(),
      atOnce,
    );
    return { outcome, asked };
  }
  const silence = () => {
    throw new TypeError("Failed to fetch");
  };

  test("comes at once after a refusal and includes the refusal's reason", async () => {
    const locked = new Refusal("not-allowed", "This discussion is closed for replies.");
    expect(await after(() => refused(locked))).toEqual({
      outcome: { failed: "not-allowed", sentence: "This discussion is closed for replies." },
      asked: 1,
    });
    const long = new Refusal("invalid", "Check the marked fields.", { fields: { body: "Too long." } });
    expect(await after(() => refused(long))).toEqual({
      outcome: { failed: "invalid", sentence: "Too long." },
      asked: 1,
    });
    expect(await after(() => new Response("<h1>Too large</h1>", { status: 413 }))).toEqual({
      outcome: { failed: "too-large", sentence: null },
      asked: 1,
    });
    expect(await after(() => new Response("", { status: 429 }))).toMatchObject({
      outcome: { failed: "too-many" },
      asked: 1,
    });
    expect(await after(() => new Response("", { status: 401 }))).toMatchObject({
      outcome: { failed: "not-signed-in" },
      asked: 1,
    });
  });

  test("includes the retry-after time if the response has one", async () => {
    const slow = new Refusal("too-many", "This discussion is slow.", { retryAfter: 2_400 });
    expect(await after(() => refused(slow))).toMatchObject({
      outcome: { failed: "too-many", retryAfter: 2_400 },
      asked: 1,
    });
    const before = () => new Response("", { status: 429, headers: { "retry-after": "30" } });
    expect(await after(before)).toMatchObject({ outcome: { failed: "too-many", retryAfter: 30 } });
    const day = () =>
      new Response("", { status: 429, headers: { "retry-after": "Wed, 21 Oct 2026 07:28:00 GMT" } });
    expect((await after(day)).outcome).not.toHaveProperty("retryAfter");
  });

  test("comes after four attempts without a response", async () => {
    expect(await after(silence)).toEqual({ outcome: { failed: "lost", sentence: null }, asked: 4 });
    expect(await after(() => new Response("", { status: 500 }))).toEqual({
      outcome: { failed: "broken", sentence: null },
      asked: 4,
    });
    expect(await after(() => new Response("<h1>Welcome to the hotel</h1>"))).toEqual({
      outcome: { failed: "lost", sentence: null },
      asked: 4,
    });
    expect(await after(silence, () => Response.json({ number: 7, plain: [] }))).toEqual({
      outcome: { number: 7, plain: [] },
      asked: 2,
    });
  });
});
