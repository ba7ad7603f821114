import { describe, expect, test } from "vitest";
import { DAY } from "#platform/clock";
import { one, run, sql } from "#platform/database";
import { listMailbox } from "#platform/mail";
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
  createRawMail,
  listPosts,
} from "../../../test/support/mail/inbound-setup.ts";

describe("rejected reply", () => {
  const answers = async () => (await listMailbox(db)).map(({ to, text }) => ({ to, text }));

  test.each([
    [
      "the discussion is closed",
      () => within((tx) => lockDiscussion(tx, people.tomas, { discussionId, reason: "It is said." })),
      "closed for replies",
    ],
    [
      "the author has left the group",
      () => within((tx) => leaveGroup(tx, people.mira, { groupId: group.id })),
      "Not found.",
    ],
    [
      "the account is limited",
      () => run(db, sql`update people set state = 'limited' where id = ${people.mira.id}`),
      "",
    ],
  ])("leads to a mail to its author if %s", async (_name, change: () => Promise<unknown>, words) => {
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

  test("leads to a mail to the account's address, even if it comes from another address", async () => {
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
    ["it contains only a quotation", "> only quoted"],
    ["it is too long", "a".repeat(32_001)],
  ])("leads to a mail to its author when %s", async (_name, body) => {
    expect(await processInboundMail(app, createRawMail(body))).toBe("refused");
    expect(await answers()).toHaveLength(1);
  });

  test("leads to at most twenty mails a day", async () => {
    for (let n = 0; n < 23; n++)
      expect(await processInboundMail(app, createRawMail("", { id: `<${n}@x>` }))).toBe("refused");
    expect(await answers()).toHaveLength(20);
  });

  test("leads to a mail that references it and is marked as automatic", async () => {
    await processInboundMail(app, createRawMail("", { id: "<abc@mira.test>" }));
    const { headers, kind } = await one(
      db,
      sql<{ headers: object; kind: string }>`select headers, kind from mails`,
    );
    expect([headers, kind]).toEqual([{ answers: "<abc@mira.test>" }, "answer"]);
  });
});

describe("reply that is rejected or shortened", () => {
  test("gets mailed back with its full text", async () => {
    for (const [n, body] of [
      "> In May.\r\n> I wrote into the quotation.",
      `${"long ".repeat(7_000)}end`,
    ].entries()) {
      expect(await processInboundMail(app, createRawMail(body, { id: `<${n}@x>` }))).toBe("refused");
      const texts = (await listMailbox(db)).map(({ text }) => text.replace(/^> /gm, ""));
      expect(texts.join("\n")).toContain(n === 0 ? "I wrote into the quotation." : "long end");
    }
  });

  test("gets mailed back with the reason if its address has expired", async () => {
    clock.pass(91 * DAY);
    await within(deleteExpiredReplyAddresses);
    expect(await processInboundMail(app, createRawMail("Still in May."))).toBe("refused");
    const [answer] = await listMailbox(db);
    expect(answer!.text).toContain("has expired");
    expect(answer!.text).toContain("> Still in May.");
  });

  test("gets mailed back with the part that was dropped as a quotation", async () => {
    const head = "From: Tomas <a@example.net>\r\nSent: Friday\r\nTo: Mira\r\nSubject: Beans";
    expect(
      await processInboundMail(
        app,
        createRawMail(`Yes.\r\n\r\n${head}\r\n\r\nNobody ever mailed this sentence.`),
      ),
    ).toBe("posted");
    expect((await listPosts()).map(({ body }) => body)).toEqual(["Yes."]);
    const [mail] = await listMailbox(db);
    expect(mail).toMatchObject({ to: "mira@example.org", subject: "Part of your email was left out" });
    expect(mail!.text).toContain("> Nobody ever mailed this sentence.");
  });

  test("keeps the text below an unmarked quotation of our mail", async () => {
    const head = "From: Tomas <a@example.net>\r\nSent: Friday\r\nTo: Mira\r\nSubject: Beans";
    const frame =
      "Hello Mira,\r\n\r\nTomas replied to you.\r\n\r\nReply to this email to post your answer " +
      "on the site under your name.";
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
