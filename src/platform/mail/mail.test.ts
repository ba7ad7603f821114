import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import { afterEach, describe, expect, test } from "vitest";
import { testDatabase } from "../../../test/setup/database.ts";
import { many, one, sql } from "#platform/database";
import { type Mail, mailbox, mailInBox, openPost, post } from "./index.ts";

const { db, inTransaction, clock } = await testDatabase();
const LETTER: Mail = { to: "mira@example.org", subject: "Grüße", text: "Open https://kith.example.org/x?token=abc", html: "<p>Open</p>" };

const written = async (): Promise<string> => {
  await inTransaction((tx) => post(tx, LETTER));
  return (await one(db, sql<{ id: string }>`select id from mails`)).id;
};

describe("a mail", () => {
  test("is stored with its job, in the transaction of what it tells of", async () => {
    await inTransaction(async (tx) => {
      await post(tx, LETTER);
      throw new Error("no");
    }).catch(() => {});
    expect(await many(db, sql`select 1 from mails`)).toEqual([]);

    const mailId = await written();
    const jobs = await many(
      db,
      sql<{
        task: string;
        payload: unknown;
      }>`select task_identifier as task, payload from graphile_worker.jobs join graphile_worker._private_jobs using (id)`,
    );
    expect(jobs).toEqual([{ task: "mail", payload: { mailId } }]);
  });

  test("without a server stays in the development mailbox, newest first, found by its recipient", async () => {
    const post = openPost({ smtpUrl: null, from: "kith@example.org" });
    const id = await written();
    await post.deliver(db, id, clock.at);
    expect(await mailInBox(db, id)).toMatchObject({ ...LETTER, at: clock.at });
    expect(await mailbox(db, "MIRA@example.org")).toHaveLength(1);
    expect(await mailbox(db, "ben@example.org")).toEqual([]);
  });
});

describe("a mail server", () => {
  let server: SMTPServer;
  afterEach(() => new Promise<void>((done) => server.close(() => done())));

  const listening = (onData: (raw: string) => Error | null) =>
    new Promise<string>((ready) => {
      server = new SMTPServer({
        authOptional: true,
        disabledCommands: ["STARTTLS"],
        onData(stream, _session, done) {
          let raw = "";
          stream.on("data", (chunk: Buffer) => (raw += String(chunk)));
          stream.on("end", () => done(onData(raw)));
        },
      });
      server.listen(0, "127.0.0.1", () => ready(`smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`));
    });

  test("gets it whole; what is kept of it here has no words, for they can hold a way in", async () => {
    const got: string[] = [];
    const smtpUrl = await listening((raw) => (got.push(raw), null));
    const way = openPost({ smtpUrl, from: "Kith <kith@example.org>" });
    const id = await written();
    await way.deliver(db, id, clock.at);
    expect(got).toHaveLength(1);
    expect(got[0]).toContain(`Message-ID: <${id}@kith>`);
    expect(got[0]).toContain("To: mira@example.org");
    expect(got[0]).toContain("multipart/alternative");
    expect(await mailInBox(db, id)).toMatchObject({ text: "", html: "", subject: LETTER.subject });
  });

  test("gets it once, though its job may run twice", async () => {
    const got: string[] = [];
    const smtpUrl = await listening((raw) => (got.push(raw), null));
    const way = openPost({ smtpUrl, from: "kith@example.org" });
    const id = await written();
    await way.deliver(db, id, clock.at);
    await way.deliver(db, id, clock.at);
    expect(got).toHaveLength(1);
  });

  test("that will not take it leaves it waiting, whole", async () => {
    const smtpUrl = await listening(() => Object.assign(new Error("mailbox full"), { responseCode: 452 }));
    const way = openPost({ smtpUrl, from: "kith@example.org" });
    const id = await written();
    await expect(way.deliver(db, id, clock.at)).rejects.toThrow("mailbox full");
    expect(await mailInBox(db, id)).toMatchObject({ text: LETTER.text });
    expect(await one(db, sql`select sent_at from mails`)).toEqual({ sent_at: null });
  });
});
