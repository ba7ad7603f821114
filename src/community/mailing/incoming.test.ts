import { describe, expect, test } from "vitest";
import { DAY, HOUR, later } from "#platform/clock";
import { maybeOne, one, run, sql } from "#platform/database";
import { isStopped, mailbox, post } from "#platform/mail";
import { startConversation } from "#community/conversations";
import { lockDiscussion } from "#community/discussions";
import { leaveGroup } from "#community/groups";
import { takeIn } from "./incoming.ts";
import { db, clock, within, house, people, group, discussionId, answeredPost, box, addressFor, mail, posts } from "./incoming.fixture.ts";

describe("an answer by mail", () => {
  test("stands in the discussion, under the name of whom the address was for, as an answer to what was mailed", async () => {
    expect(await takeIn(house, mail("Yes, *in May*.\r\n\r\nOn Monday, Tomas <kith@kith.test> wrote:\r\n> When?"))).toBe("posted");
    expect(await posts()).toEqual([{ body: "Yes, *in May*.", by: people.mira.id, to: answeredPost }]);
  });

  test("stands there once, however often it is delivered, and by whichever way", async () => {
    const both = await Promise.all([takeIn(house, mail("Yes.")), takeIn(house, mail("Yes."))]);
    expect(both.toSorted()).toEqual(["known", "posted"]);
    expect(await takeIn(house, mail("Yes.", { more: ["X-Again: 1"] }))).toBe("known");
    expect(await posts()).toHaveLength(1);
  });

  test("finds its address wherever hosts of mail put it, in capitals, too", async () => {
    const token = box.toUpperCase();
    for (const [n, more] of [[`Delivered-To: ${token}`], [`X-Original-To: ${token}`], [`Cc: A <a@example.net>, <${token}>`]].entries())
      expect(await takeIn(house, mail(`No. ${n}`, { to: "list@example.net", id: `<${n}@x>`, more }))).toBe("posted");
    expect(await posts()).toHaveLength(3);
  });

  test("goes into a conversation, too", async () => {
    const { id } = await within((tx) =>
      startConversation(tx, people.tomas, { to: ["mira"], name: "", body: "Hello?", clientId: undefined }),
    );
    expect(await takeIn(house, mail("Hello!", { to: await addressFor("conversation", id) }))).toBe("posted");
    expect(await one(db, sql`select body_md as body from messages where conversation_id = ${id} and seq = 2`)).toEqual({ body: "Hello!" });
  });

  test("is read as HTML where there is nothing else, and as the letters it has", async () => {
    await takeIn(house, mail("<p>Gärten &amp; <b>Beete</b></p><blockquote>old</blockquote>", { type: "text/html; charset=utf-8" }));
    const latin = Buffer.concat([mail("", { id: "<2@x>", type: "text/plain; charset=iso-8859-1" }), Buffer.from("Gr\xfc\xdfe", "latin1")]);
    await takeIn(house, latin);
    expect((await posts()).map(({ body }) => body)).toEqual(["Gärten & Beete", "Grüße"]);
  });

  test("is taken from who reads nothing but mail, and says that they are about", async () => {
    const seen = async () =>
      (await one(db, sql<{ at: Date | null }>`select seen_at as at from people where id = ${people.mira.id}`)).at?.getTime() ?? 0;
    await run(db, sql`update people set seen_at = ${later(clock.at, -200 * DAY)} where id = ${people.mira.id}`);
    expect(await takeIn(house, mail("Also by mail."))).toBe("posted");
    // Not that they are here at this moment: mails can take their time.
    expect(await seen()).toBe(clock.at.getTime() - HOUR);
    await run(db, sql`update people set seen_at = ${clock.at} where id = ${people.mira.id}`);
    expect(await takeIn(house, mail("Again.", { id: "<2@mira.test>" }))).toBe("posted");
    expect(await seen()).toBe(clock.at.getTime());
  });

  test("names what was attached, and leaves it out", async () => {
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
    expect(await takeIn(house, mail(parts.join("\r\n"), { type: 'multipart/mixed; boundary="x"' }))).toBe("posted");
    expect((await posts())[0]!.body).toBe("Look.\n\n(Left out, since it came by mail: beanx.png)");
  });
});

describe("what cannot stand there is answered in words, to the address of the account:", () => {
  const answers = async () => (await mailbox(db)).map(({ to, text }) => ({ to, text }));

  test.each([
    [
      "the discussion is closed",
      () => within((tx) => lockDiscussion(tx, people.tomas, { discussionId, reason: "It is said." })),
      "closed for replies",
    ],
    ["they have left", () => within((tx) => leaveGroup(tx, people.mira, { groupId: group.id })), "nothing here"],
    ["the account is limited", () => run(db, sql`update people set state = 'limited' where id = ${people.mira.id}`), ""],
  ])("%s", async (_name, change: () => Promise<unknown>, words) => {
    await change();
    const outcome = await takeIn(house, mail("Yes, in May."));
    expect(outcome).toBe("refused");
    expect(await posts()).toEqual([]);
    const [answer, ...more] = await answers();
    expect(more).toEqual([]);
    expect(answer!.to).toBe("mira@example.org");
    expect(answer!.text).toContain(words);
    expect(answer!.text).toContain("> Yes, in May.");
    expect(await takeIn(house, mail("Yes, in May."))).toBe("known");
    expect(await answers()).toHaveLength(1);
  });

  test("it came from another address: whoever found the mail cannot write with it, nor make us write to them", async () => {
    expect(await takeIn(house, mail("I am Mira.", { from: "Eve <eve@example.net>" }))).toBe("refused");
    expect(await posts()).toEqual([]);
    expect((await answers())[0]).toMatchObject({ to: "mira@example.org", text: expect.stringContaining("another address") as string });
  });

  test.each([
    ["nothing is in it", "> only quoted"],
    ["too much is in it", "a".repeat(32_001)],
  ])("%s", async (_name, body) => {
    expect(await takeIn(house, mail(body))).toBe("refused");
    expect(await answers()).toHaveLength(1);
  });

  test("five times in a day, not more", async () => {
    for (let n = 0; n < 8; n++) expect(await takeIn(house, mail("", { id: `<${n}@x>` }))).toBe("refused");
    expect(await answers()).toHaveLength(5);
  });

  test("names the mail it answers, as an answer of a program", async () => {
    await takeIn(house, mail("", { id: "<abc@mira.test>" }));
    const { headers, kind } = await one(db, sql<{ headers: object; kind: string }>`select headers, kind from mails`);
    expect([headers, kind]).toEqual([{ answers: "<abc@mira.test>" }, "answer"]);
  });
});

describe("what programs write", () => {
  test.each([
    "Auto-Submitted: auto-replied",
    "Auto-Submitted: auto-generated (vacation)",
    "Precedence: bulk",
    "List-Id: <x.example.net>",
    "Return-Path: <>",
    "X-Autoreply: yes",
  ])("is neither posted nor answered: %s", async (line) => {
    expect(await takeIn(house, mail("I am away.", { more: [line] }))).toBe("automatic");
    expect(await posts()).toEqual([]);
    expect(await mailbox(db)).toEqual([]);
  });

  test("to no address of ours, to one that was made up, or one of long ago, is nobody's", async () => {
    for (const to of [
      "reply@kith.test",
      "reply+abc@kith.test",
      "reply+@kith.test",
      box.replace("kith.test", "evil.test"),
      "",
      "reply+back-xyz@kith.test",
    ])
      expect(await takeIn(house, mail("Hello.", { to }))).toBe("nobody");
    clock.pass(91 * DAY);
    expect(await takeIn(house, mail("Hello."))).toBe("nobody");
    expect(await takeIn({ ...house, replyBox: null }, mail("Hello."))).toBe("nobody");
    expect(await mailbox(db)).toEqual([]);
  });

  test.each([Buffer.alloc(0), Buffer.alloc(100_000), Buffer.from("\r\n\r\n"), Buffer.from(`To: ${"a".repeat(3_000_000)}`)])(
    "that is no mail does no harm",
    async (raw) => {
      expect(["nobody", "unreadable"]).toContain(await takeIn(house, raw));
    },
  );
});

describe("a mail of ours that came back", () => {
  const report = (action: string, status: string) =>
    [
      "--x",
      "Content-Type: text/plain",
      "",
      "It could not be delivered.",
      "--x",
      "Content-Type: message/delivery-status",
      "",
      `Final-Recipient: rfc822; mira@example.org`,
      `Action: ${action}`,
      `Status: ${status}`,
      "--x--",
    ].join("\r\n");
  async function bounced(action: string, status: string, n = 0) {
    await within((tx) =>
      post(tx, {
        to: "mira@example.org",
        kind: "notice",
        letter: { language: "en", community: "Kith", subject: "x", parts: [], act: null },
      }),
    );
    const { id } = await one(db, sql<{ id: string }>`select id from mails where failure is null order by created_at desc, id desc limit 1`);
    const raw = mail(report(action, status), {
      to: `reply+back-${id.replaceAll("-", "")}@kith.test`,
      from: "mailer-daemon@example.org",
      id: `<b${n}@x>`,
      more: ["Auto-Submitted: auto-replied", "Return-Path: <>"],
      type: 'multipart/report; report-type=delivery-status; boundary="x"',
    });
    return [await takeIn(house, raw), await takeIn(house, raw)];
  }

  test("counts against its address, once each; at the second for good we stop", async () => {
    expect(await bounced("failed", "5.1.1", 1)).toEqual(["bounce", "known"]);
    expect(await isStopped(db, "mira@example.org", clock.at)).toBe(false);
    expect(await bounced("failed", "5.1.1", 2)).toEqual(["bounce", "known"]);
    expect(await isStopped(db, "mira@example.org", clock.at)).toBe(true);
  });

  test("does not count while it is only late, or when somebody is away", async () => {
    for (const [n, [action, status]] of [
      ["delayed", "4.4.1"],
      ["relayed", "2.0.0"],
      ["nothing", ""],
    ].entries())
      expect((await bounced(action!, status!, n))[0]).toBe("automatic");
    expect(await maybeOne(db, sql`select 1 from mail_bounces`)).toBeUndefined();
  });
});

describe("a mail made to be a fault", () => {
  test.each([
    ["a zero byte in its words", () => mail("Ye\0s."), "posted"],
    ["a zero byte in the tag", () => mail("Yes.", { to: "reply+a\0b@kith.test" }), "nobody"],
    ["a zero byte in what is refused, and in its name", () => mail(`\0${"x".repeat(60_000)}`, { id: "<a\0b@x>" }), "refused"],
    ["half a sign where what is refused is cut", () => mail(`${"x".repeat(4_999)}${"🫘".repeat(30_000)}`), "refused"],
  ])("is none: %s", async (_name, made, outcome) => expect(await takeIn(house, made())).toBe(outcome));
});
