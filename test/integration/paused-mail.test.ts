import type { AddressInfo } from "node:net";
import PostalMime from "postal-mime";
import { SMTPServer } from "smtp-server";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { DAY, HOUR, MINUTE } from "#platform/clock";
import { many, one, sql } from "#platform/database";
import { createMailSender } from "#platform/mail";
import { acceptConversation, sendMessage, startConversation } from "#community/conversations";
import { markRead } from "#community/discussions";
import { sendNotificationMail, unsubscribeFromMail } from "#community/mail";
import { pauseNotifications, saveQuietHours } from "#community/notifications";
import { createMailContext } from "../support/mail/mail-context.ts";
import { dispatchEvents } from "../support/notifications/deliveries.ts";
import { renderEmailHtml } from "../../src/web/emails/email-template.tsx";
import {
  createTestDiscussion,
  createTestGroup,
  createTestReply,
  createTestUsers,
  type TestUsers,
} from "../support/test-users.ts";
import { testDatabase } from "../support/setup/test-database.ts";

/**
 * From a reply to the recipient's mailbox and back: commands, handlers, clock, a real SMTP server, and
 * one-click unsubscribe.
 */
const database = await testDatabase();
const { db, clock, inTransaction: within } = database;
const app = createMailContext(database);

const got: string[] = [];
const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ["STARTTLS"],
  onData(stream, _session, done) {
    let raw = "";
    stream.on("data", (chunk: Buffer) => (raw += String(chunk)));
    stream.on("end", () => (got.push(raw), done()));
  },
});
await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
afterAll(() => new Promise<void>((done) => server.close(() => done())));
const post = createMailSender({
  smtpUrl: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
  from: "Kith <kith@kith.test>",
  renderer: renderEmailHtml,
});

/** Tomas replies, and the handlers run. */
async function answer() {
  await createTestReply(database, people.tomas, discussionId);
  await dispatchEvents(database);
}

/** Sends everything that is due, as the jobs would. */
async function letOut() {
  await dispatchEvents(database);
  await sendNotificationMail(app);
  for (const { id } of await many(
    db,
    sql<{ id: string }>`select id from mails where sent_at is null order by created_at, id`,
  ))
    await post.deliver(db, id, clock.at);
  return Promise.all(got.splice(0).map((raw) => PostalMime.parse(raw)));
}
const header = (mail: { headers: { key: string; value: string }[] }, key: string) =>
  mail.headers.find((it) => it.key === key)?.value;

let people: TestUsers;
let discussionId: string;
beforeEach(async () => {
  got.length = 0;
  people = await createTestUsers(database);
  const group = await createTestGroup(database, people);
  ({ id: discussionId } = await createTestDiscussion(database, people.mira, group.id));
  await dispatchEvents(database);
});

describe("mail about a reply", () => {
  test("is sent after ten minutes of absence, with HTML and text", async () => {
    await createTestReply(database, people.tomas, discussionId, {
      body: "Wait for the <ice> saints.\n\nAnd *then* some.",
    });
    expect(await letOut()).toEqual([]);
    clock.pass(10 * MINUTE);
    const [mail, ...more] = await letOut();
    expect(more).toEqual([]);
    expect(mail).toMatchObject({
      subject: "When to sow beans · The Long Beds",
      to: [{ address: "mira@example.org" }],
      from: { name: "Tomas (Kith)" },
    });
    expect(mail!.text).toContain("> Wait for the <ice> saints.\n>\n> And then some.");
    expect(mail!.html).toContain("Wait for the &lt;ice&gt; saints.");
    expect(mail!.html).not.toMatch(/<img|<script/);
    expect(mail!.inReplyTo).toMatch(
      new RegExp(`^<discussion\\.${discussionId}\\.[0-9a-f]{12}@kith\\.test>$`),
    );
    expect(header(mail!, "list-unsubscribe-post")).toBe("List-Unsubscribe=One-Click");
    expect(await letOut()).toEqual([]);
  });

  test("is not sent if the person has read the reply by then", async () => {
    await answer();
    clock.pass(5 * MINUTE);
    await within((tx) => markRead(tx, people.mira, { discussionId, upTo: 2 }));
    clock.pass(HOUR);
    expect(await letOut()).toEqual([]);
  });

  test("is not sent after unsubscribing, and the notification stays unread", async () => {
    await answer();
    clock.pass(10 * MINUTE);
    const [mail] = await letOut();
    const token = /\/unsubscribe\/([\w-]+)>/.exec(header(mail!, "list-unsubscribe")!)![1]!;
    for (let n = 0; n < 2; n++) await within((tx) => unsubscribeFromMail(tx, app.signer, token));
    await answer();
    clock.pass(HOUR);
    expect(await letOut()).toEqual([]);
    expect(
      await one(
        db,
        sql`select count(*)::int as n from notifications
          where person_id = ${people.mira.id} and read_at is null`,
      ),
    ).toEqual({ n: 1 });
  });
});

test("mail held by a pause is sent once when the pause ends early, but not before its normal delay", async () => {
  const { mira } = people;
  const pause = (span: "week" | "hour" | "none") => within((tx) => pauseNotifications(tx, mira, { span }));
  await pause("week");
  await answer();
  clock.pass(HOUR);
  await answer();
  expect(await letOut()).toEqual([]);
  await pause("none");
  const mails = await letOut();
  expect(mails.map(({ subject }) => subject)).toEqual(["When to sow beans · The Long Beds"]);
  expect(await letOut()).toEqual([]);
  // A new post waits for readers who may be about to see it.
  clock.pass(MINUTE);
  await pause("week");
  await answer();
  await pause("none");
  expect(await letOut()).toEqual([]);
  clock.pass(10 * MINUTE);
  expect(await letOut()).toHaveLength(1);
  clock.pass(8 * DAY);
  expect(await letOut()).toEqual([]);
});

test("mail held by quiet hours is sent once quiet hours and pauses are over", async () => {
  const { mira } = people;
  const quiet = (from: string, to: string) =>
    within((tx) => saveQuietHours(tx, mira, { from, to, days: [1, 2, 3, 4, 5, 6, 7] }));
  await quiet("08:00", "20:00");
  await answer();
  clock.pass(HOUR);
  expect(await letOut()).toEqual([]);
  await within((tx) => pauseNotifications(tx, mira, { span: "week" }));
  await quiet("", "");
  expect(await letOut()).toEqual([]);
  await within((tx) => pauseNotifications(tx, mira, { span: "hour" }));
  expect(await letOut()).toEqual([]);
  clock.pass(HOUR);
  expect(await letOut()).toHaveLength(1);
});

test("mail about messages waits two minutes and combines the messages", async () => {
  const { id: conversationId } = await within((tx) =>
    startConversation(tx, people.tomas, { to: ["mira"], name: "", body: "One.", clientId: undefined }),
  );
  await within((tx) => acceptConversation(tx, people.mira, { conversationId }));
  await dispatchEvents(database);
  for (const body of ["Two.", "Three."])
    await within((tx) => sendMessage(tx, people.tomas, { conversationId, body, clientId: undefined }));
  await dispatchEvents(database);
  clock.pass(MINUTE);
  expect(await letOut()).toEqual([]);
  clock.pass(MINUTE);
  const mails = await letOut();
  expect(mails).toHaveLength(1);
  expect(mails[0]!.text).toMatch(/> Two\.[^]*> Three\./);
});
