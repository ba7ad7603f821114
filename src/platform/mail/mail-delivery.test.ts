import type { AddressInfo } from "node:net";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { afterEach, describe, expect, test } from "vitest";
import { MINUTE } from "#platform/clock";
import { run, sql } from "#platform/database";
import {
  countBounce,
  isBounceLimited,
  getMailboxEntry,
  createMailSender,
  requeueDroppedMail,
  renderEmailText,
} from "./index.ts";
import {
  clock,
  db,
  renderSampleEmail,
  listMailJobs,
  readMailState,
  sampleEmail,
  queueSampleMail,
} from "../../../test/support/mail/mail-jobs.ts";

describe("mail delivery", () => {
  let server: SMTPServer | undefined;
  afterEach(() => new Promise<void>((done) => (server ? server.close(() => done()) : done())));

  const listen = (options: SMTPServerOptions, port = 0) =>
    new Promise<string>((ready) => {
      server = new SMTPServer({ authOptional: true, disabledCommands: ["STARTTLS"], ...options });
      // Some tests disconnect the client.
      server.on("error", () => {});
      server.listen(port, "127.0.0.1", () =>
        ready(`smtp://127.0.0.1:${(server!.server.address() as AddressInfo).port}`),
      );
    });
  const taking = (got: string[], answer: (raw: string) => Error | null = () => null): SMTPServerOptions => ({
    onData(stream, _session, done) {
      let raw = "";
      stream.on("data", (chunk: Buffer) => (raw += String(chunk)));
      stream.on("end", () => (got.push(raw), done(answer(raw))));
    },
  });
  const refusing = (responseCode: number) =>
    Object.assign(new Error("mira@example.org is not welcome"), { responseCode });
  const way = (smtpUrl: string, replyBox: string | null = null) =>
    createMailSender({ smtpUrl, from: "Kith <kith@example.org>", renderer: renderSampleEmail, replyBox });

  test("sends the complete mail, then deletes the stored text, which may contain sign-in links", async () => {
    const got: string[] = [];
    const smtpUrl = await listen(taking(got));
    const id = await queueSampleMail();
    await way(smtpUrl).deliver(db, id, clock.at);
    expect(got).toHaveLength(1);
    expect(got[0]).toContain(`Message-ID: <${id}@example.org>`);
    expect(got[0]).toContain("To: mira@example.org");
    expect(got[0]).toContain("From: Kith <kith@example.org>");
    expect(got[0]).toContain("multipart/alternative");
    expect(got[0]).toContain("Auto-Submitted: auto-generated");
    expect(got[0]).not.toContain("List-");
    expect(await getMailboxEntry(db, id)).toMatchObject({ text: "", letter: null, subject: "Grüße" });
  });

  test("sets thread, list and one-click unsubscribe headers", async () => {
    const got: string[] = [];
    const envelopes: string[] = [];
    const smtpUrl = await listen({
      ...taking(got),
      onMailFrom: ({ address }, _session, done) => (envelopes.push(address), done()),
    });
    const id = await queueSampleMail({
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
    // The bounce address names the mail.
    expect(envelopes).toEqual([`reply+back-${id.replaceAll("-", "")}@example.org`]);
  });

  test("sends a mail once even if its job runs twice", async () => {
    const got: string[] = [];
    const smtpUrl = await listen(taking(got));
    const id = await queueSampleMail();
    await way(smtpUrl).deliver(db, id, clock.at);
    await way(smtpUrl).deliver(db, id, clock.at);
    expect(got).toHaveLength(1);
  });

  test("sends a mail once when two workers try concurrently", async () => {
    const got: string[] = [];
    const smtpUrl = await listen(taking(got));
    const id = await queueSampleMail();
    const both = await Promise.allSettled([
      way(smtpUrl).deliver(db, id, clock.at),
      way(smtpUrl).deliver(db, id, clock.at),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(got).toHaveLength(1);
  });

  test("sends mails once after the server becomes available again", async () => {
    const got: string[] = [];
    const smtpUrl = await listen(taking(got));
    const port = (server!.server.address() as AddressInfo).port;
    await new Promise<void>((done) => server!.close(() => done()));
    const id = await queueSampleMail();
    for (let attempts = 0; attempts < 5; attempts++) {
      await expect(way(smtpUrl).deliver(db, id, clock.at)).rejects.toMatchObject({ name: "MailFault" });
      clock.pass(12 * MINUTE);
    }
    expect(await readMailState(id)).toMatchObject({
      sent: false,
      givenUp: false,
      claimed: false,
      text: renderEmailText(sampleEmail),
    });
    await listen(taking(got), port);
    await way(smtpUrl).deliver(db, id, clock.at);
    await way(smtpUrl).deliver(db, id, clock.at);
    expect(got).toHaveLength(1);
  });

  test("retries a mail after a temporary error (4xx) and logs no address", async () => {
    const smtpUrl = await listen(taking([], () => refusing(452)));
    const id = await queueSampleMail();
    const failed: unknown = await way(smtpUrl)
      .deliver(db, id, clock.at)
      .catch((error: unknown) => error);
    expect(String(failed)).toContain("452");
    expect(JSON.stringify([String(failed), (failed as Error).stack, (failed as Error).cause])).not.toContain(
      "example.org",
    );
    expect(await readMailState(id)).toMatchObject({
      sent: false,
      claimed: false,
      text: renderEmailText(sampleEmail),
    });
    expect(await isBounceLimited(db, "mira@example.org", clock.at)).toBe(false);
  });

  test("stops after a permanent error (5xx), and blocks the address after the second one", async () => {
    const smtpUrl = await listen({
      ...taking([]),
      onRcptTo: (_address, _session, done) => done(refusing(550)),
    });
    for (const n of [1, 2]) {
      const id = await queueSampleMail();
      await way(smtpUrl).deliver(db, id, clock.at);
      expect(await readMailState(id)).toMatchObject({
        sent: false,
        givenUp: true,
        text: "",
        failure: "The mail server did not accept it (EENVELOPE 550).",
      });
      expect(await isBounceLimited(db, "Mira@Example.org", clock.at)).toBe(n === 2);
    }
  });

  test("keeps mails for retry after error 535, since our credentials are wrong", async () => {
    const smtpUrl = await listen({
      ...taking([]),
      authOptional: false,
      onAuth: (_auth, _session, done) => done(refusing(535)),
      allowInsecureAuth: true,
    });
    const id = await queueSampleMail();
    await expect(way(smtpUrl.replace("//", "//us:wrong@")).deliver(db, id, clock.at)).rejects.toMatchObject({
      name: "MailFault",
    });
    expect(await readMailState(id)).toMatchObject({
      sent: false,
      givenUp: false,
      text: renderEmailText(sampleEmail),
    });
  });

  test("retries with the same Message-ID when the server disconnects without a response", async () => {
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
            ...(server as unknown as { connections: Set<{ id: string; _socket: { destroy: () => void } }> })
              .connections,
          ];
          connections.find(({ id }) => id === session.id)!._socket.destroy();
        });
      },
    });
    const id = await queueSampleMail();
    await expect(way(smtpUrl).deliver(db, id, clock.at)).rejects.toMatchObject({ name: "MailFault" });
    await way(smtpUrl).deliver(db, id, clock.at);
    const names = got.map((raw) => /^Message-ID: (.*)$/im.exec(raw)?.[1]);
    expect(names).toEqual([`<${id}@example.org>`, `<${id}@example.org>`]);
    expect(await readMailState(id)).toMatchObject({ sent: true });
  });

  test("sends a mail of a dead process after the process's claim expires", async () => {
    const got: string[] = [];
    const smtpUrl = await listen(taking(got));
    const id = await queueSampleMail();
    await run(db, sql`update mails set claimed_at = ${clock.at} where id = ${id}`);
    await expect(way(smtpUrl).deliver(db, id, clock.at)).rejects.toThrow("already being sent");
    clock.pass(11 * MINUTE);
    await way(smtpUrl).deliver(db, id, clock.at);
    expect(got).toHaveLength(1);
  });

  test("enqueues a new job for a mail that has lost its job", async () => {
    const id = await queueSampleMail();
    const busy = await queueSampleMail();
    await run(db, sql`delete from graphile_worker._private_jobs`);
    await run(db, sql`update mails set claimed_at = ${clock.at}`);
    clock.pass(11 * MINUTE);
    await run(db, sql`update mails set claimed_at = ${clock.at} where id = ${busy}`);
    expect(await requeueDroppedMail(db, clock.at)).toBe(1);
    expect(await listMailJobs()).toMatchObject([{ task: "mail", payload: { mailId: id } }]);
  });

  test("sends at most sixty mails a minute to one host", async () => {
    const got: string[] = [];
    const smtpUrl = await listen(taking(got));
    await run(
      db,
      sql`insert into mails (id, recipient, subject, body_text, created_at, claimed_at, sent_at)
          select gen_random_uuid(), 'p' || n || '@EXAMPLE.org', '', '', ${new Date(0)}, ${clock.at},
            ${clock.at} from generate_series(1, 60) n`,
    );
    const id = await queueSampleMail();
    await run(db, sql`delete from graphile_worker._private_jobs`);
    await way(smtpUrl).deliver(db, id, clock.at);
    expect(got).toHaveLength(0);
    expect(await listMailJobs()).toMatchObject([
      { task: "mail", payload: { mailId: id }, at: new Date(clock.at.getTime() + MINUTE) },
    ]);
    const elsewhere = await queueSampleMail({ to: "ada@example.net" });
    await way(smtpUrl).deliver(db, elsewhere, clock.at);
    expect(got).toHaveLength(1);
    clock.pass(MINUTE);
    await way(smtpUrl).deliver(db, id, clock.at);
    expect(got).toHaveLength(2);
  });

  test("sends only account mail to an address that bounces", async () => {
    const got: string[] = [];
    const smtpUrl = await listen(taking(got));
    for (let n = 0; n < 4; n++) await countBounce(db, "mira@example.org", 1, clock.at);
    const notice = await queueSampleMail({ kind: "notice" });
    await way(smtpUrl).deliver(db, notice, clock.at);
    expect(await readMailState(notice)).toMatchObject({ sent: false, givenUp: true });
    await way(smtpUrl).deliver(db, await queueSampleMail(), clock.at);
    expect(got).toHaveLength(1);
    // The score expires after thirty days.
    clock.pass(31 * 24 * 60 * MINUTE);
    await way(smtpUrl).deliver(db, await queueSampleMail({ kind: "notice" }), clock.at);
    expect(got).toHaveLength(2);
  });
});
