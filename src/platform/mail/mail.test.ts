import { describe, expect, test } from "vitest";
import { many, sql } from "#platform/database";
import { listMailbox, getMailboxEntry, createMailSender, queueMail, renderEmailText } from "./index.ts";
import {
  clock,
  db,
  renderSampleEmail,
  inTransaction,
  listMailJobs,
  sampleEmail,
  queueSampleMail,
} from "../../../test/support/mail/mail-jobs.ts";

describe("plain text of an email", () => {
  test("contains text, links, quotations, and the reason at the end", () => {
    const text = renderEmailText({
      ...sampleEmail,
      parts: [
        { kind: "heading", text: "Beans", link: "https://kith.test/d", note: "Seeds" },
        { kind: "said", by: "Mira", at: "today", text: "One.\n\nTwo." },
      ],
      footer: { lines: ["Because."], links: [{ words: "Stop", link: "https://kith.test/stop" }] },
    });
    expect(text).toBe(
      "== Beans\nSeeds\nhttps://kith.test/d\n\nMira · today\n> One.\n>\n> Two.\n\nOpen: " +
        "https://kith.example.org/x?token=abc\n\n-- \nKith\nBecause.\nStop: https://kith.test/stop",
    );
  });
});

describe("queued mail", () => {
  test("gets stored together with its job in one transaction", async () => {
    await inTransaction(async (tx) => {
      await queueMail(tx, { to: "mira@example.org", letter: sampleEmail });
      throw new Error("no");
    }).catch(() => {});
    expect(await many(db, sql`select 1 from mails`)).toEqual([]);
    const mailId = await queueSampleMail();
    expect(await listMailJobs()).toMatchObject([{ task: "mail", payload: { mailId } }]);
  });

  test("gets a one-line subject, whatever names it contains", async () => {
    const id = await queueSampleMail({ letter: { ...sampleEmail, subject: "Kith\r\nBcc: all@example.org" } });
    expect((await getMailboxEntry(db, id))?.subject).toBe("Kith Bcc: all@example.org");
  });

  test("contains no broken surrogates or zero bytes", async () => {
    const part = { kind: "said" as const, by: "Mi\0ra", at: "today", text: "Beans \ud83e" };
    const id = await queueSampleMail({
      letter: { ...sampleEmail, subject: "B\0eans", parts: [part] },
      headers: { answers: "<a\0b@c>" },
    });
    expect(await getMailboxEntry(db, id)).toMatchObject({
      subject: "Beans",
      letter: { parts: [{ ...part, by: "Mira", text: "Beans \ufffd" }] },
    });
  });

  test("with a known deduplication key is not queued again", async () => {
    const again = () =>
      inTransaction((tx) =>
        queueMail(tx, { to: "mira@example.org", letter: sampleEmail, messageId: "d1.p7.mira" }),
      );
    expect([await again(), await again()]).toEqual([true, false]);
    expect(await listMailbox(db)).toHaveLength(1);
    expect(await listMailJobs()).toHaveLength(1);
  });

  test("appears in the development mailbox, filtered by recipient", async () => {
    const way = createMailSender({ smtpUrl: null, from: "kith@example.org", renderer: renderSampleEmail });
    const id = await queueSampleMail();
    await way.deliver(db, id, clock.at);
    expect(await getMailboxEntry(db, id)).toMatchObject({
      to: "mira@example.org",
      subject: "Grüße",
      text: renderEmailText(sampleEmail),
      letter: sampleEmail,
      at: clock.at,
    });
    expect(await listMailbox(db, "MIRA@example.org")).toHaveLength(1);
    expect(await listMailbox(db, "ben@example.org")).toEqual([]);
  });
});
