import { beforeEach, describe, expect, test } from "vitest";
import { many, sql } from "#platform/database";
import { type Message, toEnglish } from "#platform/messages";
import { createHttpServer } from "#platform/http";
import { Limits } from "#platform/limits";
import { createLog } from "#platform/log";
import { createTestUsers } from "../../../test/support/test-users.ts";
import { createMailContext } from "../../../test/support/mail/mail-context.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import { serveInboundMail } from "./index.ts";

const database = await testDatabase();
const SECRET = "a-secret-of-twenty-four-letters";
const MAIL = "From: Mira <mira@example.org>\r\nTo: reply+nobody@kith.test\r\n\r\nHello.";

async function openInbox(secret: string | null = SECRET) {
  const server = createHttpServer({ log: createLog("silent"), trustProxy: false });
  const app = {
    ...createMailContext(database, { replyBox: "reply@kith.test" }),
    limits: new Limits(),
    translate: async (_: string, it: Message) => toEnglish(it),
  };
  await serveInboundMail(server, { app, secret });
  return (payload: string | Buffer, headers: Record<string, string> = {}) =>
    server.inject({
      method: "POST",
      url: "/mail/in",
      payload,
      headers: { "content-type": "message/rfc822", authorization: `Bearer ${SECRET}`, ...headers },
    });
}
beforeEach(() => createTestUsers(database));

describe("inbound mail endpoint", () => {
  test("accepts raw or JSON mail and answers with the outcome", async () => {
    const post = await openInbox();
    const inJson = { "content-type": "application/json; charset=utf-8" };
    for (const answer of [
      await post(MAIL),
      await post(JSON.stringify({ raw: MAIL }), inJson),
      await post(JSON.stringify({ raw: Buffer.from(MAIL).toString("base64"), encoding: "base64" }), inJson),
    ]) {
      expect(answer.statusCode).toBe(200);
      expect(answer.json()).toEqual({ outcome: "nobody" });
    }
  });

  test("requires the secret and limits failed attempts", async () => {
    const post = await openInbox();
    for (const authorization of ["", "Bearer wrong", `Basic ${SECRET}`, `Bearer ${SECRET}x`])
      expect((await post(MAIL, { authorization })).statusCode).toBe(401);
    for (let n = 0; n < 20; n++) await post(MAIL, { authorization: "Bearer wrong" });
    expect((await post(MAIL, { authorization: "Bearer wrong" })).statusCode).toBe(429);
    expect((await post(MAIL)).statusCode).toBe(200);
  });

  test("returns 404 without a configured secret", async () => {
    expect((await (await openInbox(null))(MAIL)).statusCode).toBe(404);
  });

  test.each([
    ["a request without mail", "{}", { "content-type": "application/json" }, 422],
    ["invalid JSON", "{", { "content-type": "application/json" }, 422],
    ["another content type", "x", { "content-type": "image/png" }, 415],
    ["a mail that is too large", Buffer.alloc(12_000_001, "a"), {}, 413],
    ["nothing", "", {}, 200],
  ])("refuses %s", async (_name, payload, headers, status) => {
    expect((await (await openInbox())(payload, headers as Record<string, string>)).statusCode).toBe(status);
    expect(await many(database.db, sql`select 1 from mails`)).toEqual([]);
  });
});
