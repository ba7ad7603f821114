import type { AddressInfo } from "node:net";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { afterEach, describe, expect, test } from "vitest";
import { testDatabase } from "../../../test/setup/database.ts";
import { MINUTE } from "#platform/clock";
import { many, one, run, sql } from "#platform/database";
import { countBounce, isStopped, type Letter, type Mail, mailbox, mailInBox, openPost, post, textOf } from "./index.ts";

const { db, inTransaction, clock } = await testDatabase();
const words: Letter = {
  language: "de",
  community: "Kith",
  subject: "Grüße",
  parts: [{ kind: "sentence", text: "Hello Mira," }],
  act: { button: "Open", link: "https://kith.example.org/x?token=abc" },
};
const face = async ({ subject }: Letter) => `<h1>${subject}</h1>`;

const written = async (more: Partial<Mail> = {}): Promise<string> => {
  await inTransaction((tx) => post(tx, { to: "mira@example.org", letter: words, ...more }));
  return (await one(db, sql<{ id: string }>`select id from mails order by created_at desc, id desc limit 1`)).id;
};
const state = (id: string) =>
  one(
    db,
    sql<Record<string, unknown>>`
      select sent_at is not null as sent, given_up_at is not null as "givenUp", claimed_at is not null as claimed, failure, body_text as text from mails where id = ${id}`,
  );
const jobs = () =>
  many(
    db,
    sql<{ task: string; payload: unknown; at: Date }>`
      select task_identifier as task, payload, run_at as at from graphile_worker.jobs join graphile_worker._private_jobs using (id, run_at)`,
  );

describe("a letter as text", () => {
  test("has its words, its link, what others said as a quotation, and last of all why it came", () => {
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

describe("a mail", () => {
  test("is stored with its job, in the transaction of what it tells of", async () => {
    await inTransaction(async (tx) => {
      await post(tx, { to: "mira@example.org", letter: words });
      throw new Error("no");
    }).catch(() => {});
    expect(await many(db, sql`select 1 from mails`)).toEqual([]);
    const mailId = await written();
    expect(await jobs()).toMatchObject([{ task: "mail", payload: { mailId } }]);
  });

  test("has a subject of one line, whatever names are in it", async () => {
    const id = await written({ letter: { ...words, subject: "Kith\r\nBcc: all@example.org" } });
    expect((await mailInBox(db, id))?.subject).toBe("Kith Bcc: all@example.org");
  });

  test("of a name that is known is not taken in a second time", async () => {
    const again = () => inTransaction((tx) => post(tx, { to: "mira@example.org", letter: words, messageId: "d1.p7.mira" }));
    expect([await again(), await again()]).toEqual([true, false]);
    expect(await mailbox(db)).toHaveLength(1);
    expect(await jobs()).toHaveLength(1);
  });

  test("without a server stays in the development mailbox, newest first, found by its recipient", async () => {
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

describe("a mail server", () => {
  let server: SMTPServer | undefined;
  afterEach(() => new Promise<void>((done) => (server ? server.close(() => done()) : done())));

  const listen = (options: SMTPServerOptions, port = 0) =>
    new Promise<string>((ready) => {
      server = new SMTPServer({ authOptional: true, disabledCommands: ["STARTTLS"], ...options });
      // A client that is cut off is what some tests are about.
      server.on("error", () => {});
      server.listen(port, "127.0.0.1", () => ready(`smtp://127.0.0.1:${(server!.server.address() as AddressInfo).port}`));
    });
  const taking = (got: string[], answer: (raw: string) => Error | null = () => null): SMTPServerOptions => ({
    onData(stream, _session, done) {
      let raw = "";
      stream.on("data", (chunk: Buffer) => (raw += String(chunk)));
      stream.on("end", () => (got.push(raw), done(answer(raw))));
    },
  });
  const refusing = (responseCode: number) => Object.assign(new Error("mira@example.org is not welcome"), { responseCode });
  const way = (smtpUrl: string, replyBox: string | null = null) => openPost({ smtpUrl, from: "Kith <kith@example.org>", face, replyBox });

  test("gets it whole; what is kept of it here has no words, for they can hold a way in", async () => {
    const got: string[] = [];
    const smtpUrl = await listen(taking(got));
    const id = await written();
    await way(smtpUrl).deliver(db, id, clock.at);
    expect(got).toHaveLength(1);
    expect(got[0]).toContain(`Message-ID: <${id}@example.org>`);
    expect(got[0]).toContain("To: mira@example.org");
    expect(got[0]).toContain("From: Kith <kith@example.org>");
    expect(got[0]).toContain("multipart/alternative");
    expect(got[0]).toContain("Auto-Submitted: auto-generated");
    expect(got[0]).not.toContain("List-");
    expect(await mailInBox(db, id)).toMatchObject({ text: "", letter: null, subject: "Grüße" });
  });

  test("is told the thread, the list, and the one request that ends it", async () => {
    const got: string[] = [];
    const envelopes: string[] = [];
    const smtpUrl = await listen({
      ...taking(got),
      onMailFrom: ({ address }, _session, done) => (envelopes.push(address), done()),
    });
    const id = await written({
      kind: "notice",
      messageId: "p7.mira",
      headers: {
        inReplyTo: "discussion.d1",
        list: { id: "d1.discussions", name: "Beans" },
        unsubscribe: "https://kith.example.org/unsubscribe/a-token",
        replyTo: "reply+abc@example.org",
        fromName: "Tomas",
      },
    });
    await way(smtpUrl, "reply@example.org").deliver(db, id, clock.at);
    const head = got[0]!.slice(0, got[0]!.indexOf("\r\n\r\n")).replace(/\r\n\s+/g, " ");
    for (const line of [
      "Message-ID: <p7.mira@example.org>",
      "In-Reply-To: <discussion.d1@example.org>",
      "References: <discussion.d1@example.org>",
      "List-ID: <d1.discussions.example.org>",
      "List-Unsubscribe: <https://kith.example.org/unsubscribe/a-token>",
      "List-Unsubscribe-Post: List-Unsubscribe=One-Click",
      "Precedence: list",
      "Reply-To: reply+abc@example.org",
      'From: "Tomas (Kith)" <kith@example.org>',
    ])
      expect(head.toLowerCase()).toContain(line.toLowerCase());
    // What comes back says which mail it was.
    expect(envelopes).toEqual([`reply+back-${id.replaceAll("-", "")}@example.org`]);
  });

  test("gets it once, though its job may run twice", async () => {
    const got: string[] = [];
    const smtpUrl = await listen(taking(got));
    const id = await written();
    await way(smtpUrl).deliver(db, id, clock.at);
    await way(smtpUrl).deliver(db, id, clock.at);
    expect(got).toHaveLength(1);
  });

  test("gets it from one of two who come at the same moment; the other looks again later", async () => {
    const got: string[] = [];
    const smtpUrl = await listen(taking(got));
    const id = await written();
    const both = await Promise.allSettled([way(smtpUrl).deliver(db, id, clock.at), way(smtpUrl).deliver(db, id, clock.at)]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(got).toHaveLength(1);
  });

  test("that was down gets everything when it is back, and nothing twice", async () => {
    const got: string[] = [];
    const smtpUrl = await listen(taking(got));
    const port = (server!.server.address() as AddressInfo).port;
    await new Promise<void>((done) => server!.close(() => done()));
    const id = await written();
    for (let tries = 0; tries < 5; tries++) {
      await expect(way(smtpUrl).deliver(db, id, clock.at)).rejects.toMatchObject({ name: "MailFault" });
      clock.pass(12 * MINUTE);
    }
    expect(await state(id)).toMatchObject({ sent: false, givenUp: false, claimed: false, text: textOf(words) });
    await listen(taking(got), port);
    await way(smtpUrl).deliver(db, id, clock.at);
    await way(smtpUrl).deliver(db, id, clock.at);
    expect(got).toHaveLength(1);
  });

  test("that is busy (4xx) leaves it waiting, whole, and the log learns no address", async () => {
    const smtpUrl = await listen(taking([], () => refusing(452)));
    const id = await written();
    const failed: unknown = await way(smtpUrl)
      .deliver(db, id, clock.at)
      .catch((error: unknown) => error);
    expect(String(failed)).toContain("452");
    expect(JSON.stringify([String(failed), (failed as Error).stack, (failed as Error).cause])).not.toContain("example.org");
    expect(await state(id)).toMatchObject({ sent: false, claimed: false, text: textOf(words) });
    expect(await isStopped(db, "mira@example.org", clock.at)).toBe(false);
  });

  test("that says no for good (5xx) is not asked again, and the second time it knows nobody there we stop", async () => {
    const smtpUrl = await listen({ ...taking([]), onRcptTo: (_address, _session, done) => done(refusing(550)) });
    for (const n of [1, 2]) {
      const id = await written();
      await way(smtpUrl).deliver(db, id, clock.at);
      expect(await state(id)).toMatchObject({
        sent: false,
        givenUp: true,
        text: "",
        failure: "The mail server did not take it (EENVELOPE 550).",
      });
      expect(await isStopped(db, "Mira@Example.org", clock.at)).toBe(n === 2);
    }
  });

  test("that does not know us (535) is our own fault: nothing is lost, nobody's address is to blame", async () => {
    const smtpUrl = await listen({
      ...taking([]),
      authOptional: false,
      onAuth: (_auth, _session, done) => done(refusing(535)),
      allowInsecureAuth: true,
    });
    const id = await written();
    await expect(way(smtpUrl.replace("//", "//us:wrong@")).deliver(db, id, clock.at)).rejects.toMatchObject({ name: "MailFault" });
    expect(await state(id)).toMatchObject({ sent: false, givenUp: false, text: textOf(words) });
  });

  test("that hangs up after the words, without an answer, gets the same mail again under the same name", async () => {
    const got: string[] = [];
    let cut = true;
    const smtpUrl = await listen({
      onData(stream, session, done) {
        let raw = "";
        stream.on("data", (chunk: Buffer) => (raw += String(chunk)));
        stream.on("end", () => {
          got.push(raw);
          if (!cut) return done();
          cut = false;
          const connections = [
            ...(server as unknown as { connections: Set<{ id: string; _socket: { destroy: () => void } }> }).connections,
          ];
          connections.find(({ id }) => id === session.id)!._socket.destroy();
        });
      },
    });
    const id = await written();
    await expect(way(smtpUrl).deliver(db, id, clock.at)).rejects.toMatchObject({ name: "MailFault" });
    await way(smtpUrl).deliver(db, id, clock.at);
    const names = got.map((raw) => /^Message-ID: (.*)$/im.exec(raw)?.[1]);
    expect(names).toEqual([`<${id}@example.org>`, `<${id}@example.org>`]);
    expect(await state(id)).toMatchObject({ sent: true });
  });

  test("gets what a process that died had in its hands, once its claim is old", async () => {
    const got: string[] = [];
    const smtpUrl = await listen(taking(got));
    const id = await written();
    await run(db, sql`update mails set claimed_at = ${clock.at} where id = ${id}`);
    await expect(way(smtpUrl).deliver(db, id, clock.at)).rejects.toThrow("handed over already");
    clock.pass(11 * MINUTE);
    await way(smtpUrl).deliver(db, id, clock.at);
    expect(got).toHaveLength(1);
  });

  test("of one host gets sixty mails in a minute, and the next a minute later", async () => {
    const got: string[] = [];
    const smtpUrl = await listen(taking(got));
    await run(
      db,
      sql`insert into mails (id, recipient, subject, body_text, created_at, claimed_at, sent_at)
          select gen_random_uuid(), 'p' || n || '@EXAMPLE.org', '', '', ${new Date(0)}, ${clock.at}, ${clock.at} from generate_series(1, 60) n`,
    );
    const id = await written();
    await run(db, sql`delete from graphile_worker._private_jobs`);
    await way(smtpUrl).deliver(db, id, clock.at);
    expect(got).toHaveLength(0);
    expect(await jobs()).toMatchObject([{ task: "mail", payload: { mailId: id }, at: new Date(clock.at.getTime() + MINUTE) }]);
    const elsewhere = await written({ to: "ada@example.net" });
    await way(smtpUrl).deliver(db, elsewhere, clock.at);
    expect(got).toHaveLength(1);
    clock.pass(MINUTE);
    await way(smtpUrl).deliver(db, id, clock.at);
    expect(got).toHaveLength(2);
  });

  test("gets no notice for an address that sends mail back, but what an account needs", async () => {
    const got: string[] = [];
    const smtpUrl = await listen(taking(got));
    for (let n = 0; n < 4; n++) await countBounce(db, "mira@example.org", 1, clock.at);
    const notice = await written({ kind: "notice" });
    await way(smtpUrl).deliver(db, notice, clock.at);
    expect(await state(notice)).toMatchObject({ sent: false, givenUp: true });
    await way(smtpUrl).deliver(db, await written(), clock.at);
    expect(got).toHaveLength(1);
    // After thirty days it may try again.
    clock.pass(31 * 24 * 60 * MINUTE);
    await way(smtpUrl).deliver(db, await written({ kind: "notice" }), clock.at);
    expect(got).toHaveLength(2);
  });
});
