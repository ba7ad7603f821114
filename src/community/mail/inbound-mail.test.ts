import { describe, expect, test } from "vitest";
import { DAY, HOUR, addMilliseconds } from "#platform/clock";
import { one, run, sql } from "#platform/database";
import { startConversation } from "#community/conversations";
import { processInboundMail } from "./inbound-mail.ts";
import {
  db,
  clock,
  within,
  app,
  people,
  answeredPost,
  box,
  createReplyAddress,
  createRawMail,
  listPosts,
} from "../../../test/support/mail/inbound-setup.ts";

describe("reply by mail", () => {
  test("appears in the discussion under its author's name, as a reply to the mailed post", async () => {
    expect(
      await processInboundMail(
        app,
        createRawMail("Yes, *in May*.\r\n\r\nOn Monday, Tomas <kith@kith.test> wrote:\r\n> When?"),
      ),
    ).toBe("posted");
    expect(await listPosts()).toEqual([{ body: "Yes, *in May*.", by: people.mira.id, to: answeredPost }]);
  });

  test("gets posted once, even if it is delivered twice", async () => {
    const both = await Promise.all([
      processInboundMail(app, createRawMail("Yes.")),
      processInboundMail(app, createRawMail("Yes.")),
    ]);
    expect(both.toSorted()).toEqual(["known", "posted"]);
    expect(await processInboundMail(app, createRawMail("Yes.", { more: ["X-Again: 1"] }))).toBe("known");
    expect(await listPosts()).toHaveLength(1);
  });

  test("can have its reply address in any header, in upper or lower case", async () => {
    const token = box.toUpperCase();
    for (const [n, more] of [
      [`Delivered-To: ${token}`],
      [`X-Original-To: ${token}`],
      [`Cc: A <a@example.net>, <${token}>`],
    ].entries())
      expect(
        await processInboundMail(
          app,
          createRawMail(`No. ${n}`, { to: "list@example.net", id: `<${n}@x>`, more }),
        ),
      ).toBe("posted");
    expect(await listPosts()).toHaveLength(3);
  });

  test("also works in a conversation", async () => {
    const { id } = await within((tx) =>
      startConversation(tx, people.tomas, { to: ["mira"], name: "", body: "Hello?", clientId: undefined }),
    );
    expect(
      await processInboundMail(
        app,
        createRawMail("Hello!", { to: await createReplyAddress("conversation", id) }),
      ),
    ).toBe("posted");
    expect(
      await one(db, sql`select body_md as body from messages where conversation_id = ${id} and seq = 2`),
    ).toEqual({ body: "Hello!" });
  });

  test("falls back to HTML and decodes its charset", async () => {
    await processInboundMail(
      app,
      createRawMail("<p>Gärten &amp; <b>Beete</b></p><blockquote>old</blockquote>", {
        type: "text/html; charset=utf-8",
      }),
    );
    const latin = Buffer.concat([
      createRawMail("", { id: "<2@x>", type: "text/plain; charset=iso-8859-1" }),
      Buffer.from("Gr\xfc\xdfe", "latin1"),
    ]);
    await processInboundMail(app, latin);
    expect((await listPosts()).map(({ body }) => body)).toEqual(["Gärten & **Beete**", "Grüße"]);
  });

  test("from a person who reads only mail is posted, and counts as activity", async () => {
    const seen = async () =>
      (
        await one(db, sql<{ at: Date | null }>`select seen_at as at from people where id = ${people.mira.id}`)
      ).at?.getTime() ?? 0;
    await run(
      db,
      sql`update people set seen_at = ${addMilliseconds(clock.at, -200 * DAY)} where id = ${people.mira.id}`,
    );
    expect(await processInboundMail(app, createRawMail("Also by mail."))).toBe("posted");
    // A reply by mail counts as activity an hour ago, because mails can be delayed.
    expect(await seen()).toBe(clock.at.getTime() - HOUR);
    await run(db, sql`update people set seen_at = ${clock.at} where id = ${people.mira.id}`);
    expect(await processInboundMail(app, createRawMail("Again.", { id: "<2@mira.test>" }))).toBe("posted");
    expect(await seen()).toBe(clock.at.getTime());
  });

  test("lists attachments by name and omits them", async () => {
    const parts = [
      "--x",
      "Content-Type: text/plain",
      "",
      "Look.",
      "--x",
      'Content-Type: image/png; name="a](http://evil).png"',
      'Content-Disposition: attachment; filename="bean](x).png"',
      "Content-Transfer-Encoding: base64",
      "",
      "aGVsbG8=",
      "--x--",
    ];
    expect(
      await processInboundMail(
        app,
        createRawMail(parts.join("\r\n"), { type: 'multipart/mixed; boundary="x"' }),
      ),
    ).toBe("posted");
    expect((await listPosts())[0]!.body).toBe("Look.\n\n(Left out, as it came by email: beanx.png)");
  });
});

describe("mail of any character set", () => {
  const bytes = (charset: string, body: Buffer, n: number) =>
    Buffer.concat([createRawMail("", { id: `<${n}@x>`, type: charset }), body]);
  test.each([
    ["named us-ascii, and is UTF-8", "text/plain; charset=us-ascii", Buffer.from("Grüße")],
    ["named unknown-8bit", "text/plain; charset=unknown-8bit", Buffer.from("Grüße")],
    ["named with a language", "text/plain; charset=utf-8*fr", Buffer.from("Grüße")],
    ["named UTF-8, and is windows-1252", "text/plain; charset=utf-8", Buffer.from("Gr\xfc\xdfe", "latin1")],
    ["named iso-8859-1, and is UTF-8", "text/plain; charset=iso-8859-1", Buffer.from("Grüße")],
    ["not named", "text/plain", Buffer.from("Gr\xfc\xdfe", "latin1")],
    [
      "named koi8-r, and is that",
      "text/plain; charset=koi8-r",
      Buffer.from([0xe7, 0xd2, 0xd1, 0xc4, 0xcb, 0xc9]),
    ],
    [
      "named iso-2022-jp, and is that",
      "text/plain; charset=iso-2022-jp",
      Buffer.from("\x1b$BF&\x1b(B", "latin1"),
    ],
  ])("gets decoded: %s", async (_name, type, body) => {
    expect(await processInboundMail(app, bytes(type, body, 1))).toBe("posted");
    expect(["Grüße", "Грядки", "豆"]).toContain((await listPosts())[0]!.body);
  });
});

describe("hostile mail", () => {
  test.each([
    ["a zero byte in its words", () => createRawMail("Ye\0s."), "posted"],
    ["a zero byte in the tag", () => createRawMail("Yes.", { to: "reply+a\0b@kith.test" }), "nobody"],
    [
      "a zero byte in what is refused, and in its name",
      () => createRawMail(`\0${"x".repeat(60_000)}`, { id: "<a\0b@x>" }),
      "refused",
    ],
    [
      "half a sign where what is refused is cut",
      () => createRawMail(`${"x".repeat(4_999)}${"🫘".repeat(30_000)}`),
      "refused",
    ],
  ])("causes no error: %s", async (_name, made, outcome) =>
    expect(await processInboundMail(app, made())).toBe(outcome),
  );
});
