import { describe, expect, test } from "vitest";
import { DAY, HOUR, addMilliseconds } from "#platform/clock";
import { one, run, sql } from "#platform/database";
import { listMailbox } from "#platform/mail";
import { startConversation } from "#community/conversations";
import { lockDiscussion } from "#community/discussions";
import { leaveGroup } from "#community/groups";
import { processInboundMail } from "./inbound-mail.ts";
import { deleteExpiredReplyAddresses } from "./reply-addresses.ts";
import {
  db,
  clock,
  within,
  app,
  people,
  group,
  discussionId,
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

  test("the reply is posted once, however often and through whichever transport it is delivered", async () => {
    const both = await Promise.all([
      processInboundMail(app, createRawMail("Yes.")),
      processInboundMail(app, createRawMail("Yes.")),
    ]);
    expect(both.toSorted()).toEqual(["known", "posted"]);
    expect(await processInboundMail(app, createRawMail("Yes.", { more: ["X-Again: 1"] }))).toBe("known");
    expect(await listPosts()).toHaveLength(1);
  });

  test("finds the reply address in any header, in capitals too", async () => {
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

  test("the reply is posted to a conversation too", async () => {
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

  test("the reply is accepted from a person who reads only mail, and counts as activity", async () => {
    const seen = async () =>
      (
        await one(db, sql<{ at: Date | null }>`select seen_at as at from people where id = ${people.mira.id}`)
      ).at?.getTime() ?? 0;
    await run(
      db,
      sql`update people set seen_at = ${addMilliseconds(clock.at, -200 * DAY)} where id = ${people.mira.id}`,
    );
    expect(await processInboundMail(app, createRawMail("Also by mail."))).toBe("posted");
    // Not the current time: mails can be delayed.
    expect(await seen()).toBe(clock.at.getTime() - HOUR);
    await run(db, sql`update people set seen_at = ${clock.at} where id = ${people.mira.id}`);
    expect(await processInboundMail(app, createRawMail("Again.", { id: "<2@mira.test>" }))).toBe("posted");
    expect(await seen()).toBe(clock.at.getTime());
  });

  test("names attachments and leaves them out", async () => {
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

describe("a rejected reply is answered to the address of the account:", () => {
  const answers = async () => (await listMailbox(db)).map(({ to, text }) => ({ to, text }));

  test.each([
    [
      "the discussion is closed",
      () => within((tx) => lockDiscussion(tx, people.tomas, { discussionId, reason: "It is said." })),
      "closed for replies",
    ],
    [
      "they have left",
      () => within((tx) => leaveGroup(tx, people.mira, { groupId: group.id })),
      "Not found.",
    ],
    [
      "the account is limited",
      () => run(db, sql`update people set state = 'limited' where id = ${people.mira.id}`),
      "",
    ],
  ])("%s", async (_name, change: () => Promise<unknown>, words) => {
    await change();
    const outcome = await processInboundMail(app, createRawMail("Yes, in May."));
    expect(outcome).toBe("refused");
    expect(await listPosts()).toEqual([]);
    const [answer, ...more] = await answers();
    expect(more).toEqual([]);
    expect(answer!.to).toBe("mira@example.org");
    expect(answer!.text).toContain(words);
    expect(answer!.text).toContain("> Yes, in May.");
    expect(await processInboundMail(app, createRawMail("Yes, in May."))).toBe("known");
    expect(await answers()).toHaveLength(1);
  });

  test("sent from another address, so that the finder of a mail can neither post nor make the server write to them", async () => {
    expect(
      await processInboundMail(app, createRawMail("I am Mira.", { from: "Eve <eve@example.net>" })),
    ).toBe("refused");
    expect(await listPosts()).toEqual([]);
    expect((await answers())[0]).toMatchObject({
      to: "mira@example.org",
      text: expect.stringContaining("not the one of your account") as string,
    });
  });

  test.each([
    ["nothing is in it", "> only quoted"],
    ["too much is in it", "a".repeat(32_001)],
  ])("%s", async (_name, body) => {
    expect(await processInboundMail(app, createRawMail(body))).toBe("refused");
    expect(await answers()).toHaveLength(1);
  });

  test("twenty times in a day, not more", async () => {
    for (let n = 0; n < 23; n++)
      expect(await processInboundMail(app, createRawMail("", { id: `<${n}@x>` }))).toBe("refused");
    expect(await answers()).toHaveLength(20);
  });

  test("references the rejected mail and marks itself as automatic", async () => {
    await processInboundMail(app, createRawMail("", { id: "<abc@mira.test>" }));
    const { headers, kind } = await one(
      db,
      sql<{ headers: object; kind: string }>`select headers, kind from mails`,
    );
    expect([headers, kind]).toEqual([{ answers: "<abc@mira.test>" }, "answer"]);
  });
});

describe("reply that is not posted as it was written", () => {
  test("is returned with its text, even if no text of its author was found", async () => {
    for (const [n, body] of [
      "> In May.\r\n> I wrote into the quotation.",
      `${"long ".repeat(7_000)}end`,
    ].entries()) {
      expect(await processInboundMail(app, createRawMail(body, { id: `<${n}@x>` }))).toBe("refused");
      const texts = (await listMailbox(db)).map(({ text }) => text.replace(/^> /gm, ""));
      expect(texts.join("\n")).toContain(n === 0 ? "I wrote into the quotation." : "long end");
    }
  });

  test("to an expired address is answered with the reason and its text", async () => {
    clock.pass(91 * DAY);
    await within(deleteExpiredReplyAddresses);
    expect(await processInboundMail(app, createRawMail("Still in May."))).toBe("refused");
    const [answer] = await listMailbox(db);
    expect(answer!.text).toContain("has expired");
    expect(answer!.text).toContain("> Still in May.");
  });

  test("is answered with the part that was dropped as a quotation", async () => {
    const head = "From: Tomas <a@example.net>\r\nSent: Friday\r\nTo: Mira\r\nSubject: Beans";
    expect(
      await processInboundMail(
        app,
        createRawMail(`Yes.\r\n\r\n${head}\r\n\r\nNobody ever mailed this sentence.`),
      ),
    ).toBe("posted");
    expect((await listPosts()).map(({ body }) => body)).toEqual(["Yes."]);
    const [told] = await listMailbox(db);
    expect(told).toMatchObject({ to: "mira@example.org", subject: "Part of your email was left out" });
    expect(told!.text).toContain("> Nobody ever mailed this sentence.");
  });

  test("is posted with the text below an unmarked quotation of our mail", async () => {
    const head = "From: Tomas <a@example.net>\r\nSent: Friday\r\nTo: Mira\r\nSubject: Beans";
    const frame =
      "Hello Mira,\r\n\r\nTomas replied to you.\r\n\r\nReply to this email to post your answer there under your name.";
    const { body } = await one(
      db,
      sql<{ body: string }>`select body_md as body from posts where id = ${answeredPost}`,
    );
    expect(
      await processInboundMail(
        app,
        createRawMail(
          `Yes.\r\n\r\n${head}\r\n\r\n${frame}\r\n\r\n${body}\r\n\r\nAfter the ice saints, that is.`,
        ),
      ),
    ).toBe("posted");
    expect((await listPosts()).map((post) => post.body)).toEqual(["Yes.\n\nAfter the ice saints, that is."]);
    expect(await listMailbox(db)).toEqual([]);
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
  ])("is read: %s", async (_name, type, body) => {
    expect(await processInboundMail(app, bytes(type, body, 1))).toBe("posted");
    expect(["Grüße", "Грядки", "豆"]).toContain((await listPosts())[0]!.body);
  });
});

describe("automatic mail", () => {
  test.each([
    "Auto-Submitted: auto-replied",
    "Auto-Submitted: auto-generated (vacation)",
    "Precedence: bulk",
    "List-Id: <x.example.net>",
    "Return-Path: <>",
    "X-Autoreply: yes",
    "X-Autorespond: Re: Beans",
    "X-Failed-Recipients: gone@example.net",
    "Precedence: auto_reply",
  ])("the mail is neither posted nor answered: %s", async (line) => {
    expect(await processInboundMail(app, createRawMail("I am away.", { more: [line] }))).toBe("automatic");
    expect(await listPosts()).toEqual([]);
    expect(await listMailbox(db)).toEqual([]);
  });

  test.each([
    [
      "report of a delivery",
      'multipart/report; report-type=delivery-status; boundary="x"',
      "message/delivery-status",
      "Action: failed",
    ],
    [
      "receipt of a reading",
      'multipart/report; report-type=disposition-notification; boundary="x"',
      "message/disposition-notification",
      "Disposition: displayed",
    ],
    [
      "receipt in an ordinary mail",
      'multipart/mixed; boundary="x"',
      "message/disposition-notification",
      "Disposition: displayed",
    ],
  ])("gets neither posted nor answered: %s", async (_name, type, part, field) => {
    const body = [
      "--x",
      "Content-Type: text/plain",
      "",
      "Your mail was read.",
      "--x",
      `Content-Type: ${part}`,
      "",
      field,
      "--x--",
    ];
    expect(await processInboundMail(app, createRawMail(body.join("\r\n"), { type }))).toBe("automatic");
    expect(await listPosts()).toEqual([]);
    expect(await listMailbox(db)).toEqual([]);
  });

  test("to an unknown, invented or expired address is ignored", async () => {
    for (const to of [
      "reply@kith.test",
      "reply+abc@kith.test",
      "reply+@kith.test",
      box.replace("kith.test", "evil.test"),
      "",
      "reply+back-xyz@kith.test",
    ])
      expect(await processInboundMail(app, createRawMail("Hello.", { to }))).toBe("nobody");
    clock.pass(400 * DAY);
    await within(deleteExpiredReplyAddresses);
    expect(await processInboundMail(app, createRawMail("Hello."))).toBe("nobody");
    expect(await processInboundMail({ ...app, replyBox: null }, createRawMail("Hello."))).toBe("nobody");
    expect(await listMailbox(db)).toEqual([]);
  });

  test.each([
    Buffer.alloc(0),
    Buffer.alloc(100_000),
    Buffer.from("\r\n\r\n"),
    Buffer.from(`To: ${"a".repeat(3_000_000)}`),
  ])("ignores input that is no mail", async (raw) => {
    expect(["nobody", "unreadable"]).toContain(await processInboundMail(app, raw));
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
