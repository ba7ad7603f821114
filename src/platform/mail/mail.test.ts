import { describe, expect, test } from "vitest";
import { many, sql } from "#platform/database";
import { mailbox, mailInBox, openPost, post, textOf } from "./index.ts";
import { clock, db, face, inTransaction, jobs, words, written } from "./mail.fixture.ts";

describe("plain text of an email", () => {
  test("has its text, its link, quotations, and the reason at the end", () => {
    const text = textOf({
      ...words,
      parts: [
        { kind: "heading", text: "Beans", link: "https://kith.test/d", note: "Seeds" },
        { kind: "said", by: "Mira", at: "today", text: "One.\n\nTwo." },
      ],
      footer: { lines: ["Because."], links: [{ words: "Stop", link: "https://kith.test/stop" }] },
    });
    expect(text).toBe(
      "== Beans\nSeeds\nhttps://kith.test/d\n\nMira · today\n> One.\n>\n> Two.\n\nOpen: https://kith.example.org/x?token=abc\n\n-- \nKith\nBecause.\nStop: https://kith.test/stop",
    );
  });
});

describe("queued mail", () => {
  test("enters the table with its job in the same transaction", async () => {
    await inTransaction(async (tx) => {
      await post(tx, { to: "mira@example.org", letter: words });
      throw new Error("no");
    }).catch(() => {});
    expect(await many(db, sql`select 1 from mails`)).toEqual([]);
    const mailId = await written();
    expect(await jobs()).toMatchObject([{ task: "mail", payload: { mailId } }]);
  });

  test("gets a one-line subject, whatever names are in it", async () => {
    const id = await written({ letter: { ...words, subject: "Kith\r\nBcc: all@example.org" } });
    expect((await mailInBox(db, id))?.subject).toBe("Kith Bcc: all@example.org");
  });

  test("loses broken surrogates and zero bytes of its text", async () => {
    const said = { kind: "said" as const, by: "Mi\0ra", at: "today", text: "Beans \ud83e" };
    const id = await written({ letter: { ...words, subject: "B\0eans", parts: [said] }, headers: { answers: "<a\0b@c>" } });
    expect(await mailInBox(db, id)).toMatchObject({ subject: "Beans", letter: { parts: [{ ...said, by: "Mira", text: "Beans \ufffd" }] } });
  });

  test("with a known name is not queued again", async () => {
    const again = () => inTransaction((tx) => post(tx, { to: "mira@example.org", letter: words, messageId: "d1.p7.mira" }));
    expect([await again(), await again()]).toEqual([true, false]);
    expect(await mailbox(db)).toHaveLength(1);
    expect(await jobs()).toHaveLength(1);
  });

  test("stays in the development mailbox without a server, newest first, filtered by recipient", async () => {
    const way = openPost({ smtpUrl: null, from: "kith@example.org", face });
    const id = await written();
    await way.deliver(db, id, clock.at);
    expect(await mailInBox(db, id)).toMatchObject({
      to: "mira@example.org",
      subject: "Grüße",
      text: textOf(words),
      letter: words,
      at: clock.at,
    });
    expect(await mailbox(db, "MIRA@example.org")).toHaveLength(1);
    expect(await mailbox(db, "ben@example.org")).toEqual([]);
  });
});
