import { type Message, toEnglish } from "#platform/messages";
import { beforeEach, describe, expect, test } from "vitest";
import { HOUR } from "#platform/clock";
import { many, one, run, sql } from "#platform/database";
import { type EmailContent, listMailbox, htmlToText } from "#platform/mail";
import { sendNotificationMail, processInboundMail } from "#community/mail";
import { renderEmailHtml } from "../../src/web/emails/email-template.tsx";
import {
  createTestDiscussion,
  createTestGroup,
  createTestReply,
  createTestUsers,
  type TestUsers,
} from "../support/test-users.ts";
import { createMailContext, insertNotification } from "../support/mail/mail-context.ts";
import { testDatabase } from "../support/setup/test-database.ts";

const database = await testDatabase();
const { db, clock } = database;
const app = {
  ...createMailContext(database, { replyBox: "reply@kith.test" }),
  translate: async (_locale: string, sentence: Message) => toEnglish(sentence),
};

type Sent = { letter: EmailContent; text: string; html: string; replyTo: string };
let people: TestUsers;
let discussionId: string;
beforeEach(async () => {
  people = await createTestUsers(database);
  const group = await createTestGroup(database, people, { visibility: "private" });
  ({ id: discussionId } = await createTestDiscussion(database, people.mira, group.id));
});

/** Mira's mail about a reply by Tomas. */
async function notification(locale: string): Promise<Sent> {
  await run(db, sql`update people set locale = ${locale} where id = ${people.mira.id}`);
  const { id } = await createTestReply(database, people.tomas, discussionId, {
    body: "When do we sow the beans?\n\nAnd who brings the seeds?",
  });
  const what = { kind: "reply", objectKind: "discussion", objectId: discussionId } as const;
  await insertNotification(database, {
    personId: people.mira.id,
    ...what,
    actors: [people.tomas.id],
    items: [id],
    mailAt: clock.at,
  });
  clock.pass(HOUR);
  expect(await sendNotificationMail(app)).toBe(1);
  const { letter, text, headers } = await one(
    db,
    sql<{ letter: EmailContent; text: string; headers: { replyTo: string } }>`
      select letter, body_text as text, headers from mails order by created_at desc limit 1`,
  );
  return { letter, text, html: await renderEmailHtml(letter), replyTo: headers.replyTo };
}

async function answer({ replyTo }: Sent, body: string, type = "plain") {
  const head = [
    "From: Mira <mira@example.org>",
    `To: ${replyTo}`,
    "Message-ID: <1@mira.test>",
    `Content-Type: text/${type}; charset=utf-8`,
  ];
  expect(
    await processInboundMail(
      app,
      Buffer.from(`${head.join("\r\n")}\r\n\r\n${body.replaceAll("\n", "\r\n")}`),
    ),
  ).toBe("posted");
  const [post] = await many(
    db,
    sql<{
      body: string;
    }>`select body_md as body from posts
      where discussion_id = ${discussionId} and author_id = ${people.mira.id} and number > 1`,
  );
  return post!.body;
}

const quote = (text: string, sign = "> ") => text.replace(/^/gm, sign);
const wrap = (text: string, width: number) =>
  text.replace(new RegExp(`(?=\\S.{${width},})(.{1,${width}})\\s+`, "g"), "$1\n");
const OWN = "In May, after the ice saints.\n\nI bring the seeds.";

describe.each(["en", "de", "fr", "es", "ar"])("reply to a mail in %s", (locale) => {
  test.each<[string, (sent: Sent) => string]>([
    [
      "above an attribution in an unknown language",
      ({ text }) => `${OWN}\n\nKu 6 Nov 2026 13:30 Kith <kith@kith.test> ayaa qoray:\n\n${quote(text)}`,
    ],
    ["above, without attribution", ({ text }) => `${OWN}\n\n${quote(text, ">")}`],
    ["above, without quote markers", ({ text }) => `${OWN}\n\n${text}`],
    [
      "above an unknown mail header",
      ({ text }) => `${OWN}\n\nKa: Kith <kith@kith.test>\nTaariikh: 6 Nov 2026\nMawduuc: Beans\n\n${text}`,
    ],
    ["above, with the quote wrapped", ({ text }) => `${OWN}\n\n${wrap(text, 40)}`],
    ["above, with the quote wrapped and marked", ({ text }) => `${OWN}\n\n${quote(wrap(text, 40))}`],
    [
      "above the HTML as plain text",
      ({ html }) => `${OWN}\n\n6 Nov 2026 13:30 kith@kith.test:\n\n${htmlToText(html)}`,
    ],
    ["below the quote", ({ text }) => `${quote(text)}\n\n${OWN}`],
    [
      "below an attributed quote",
      ({ text }) => `On 6 Nov 2026, at 13:30, Kith wrote:\n${quote(text)}\n\n${OWN}`,
    ],
    ["below, without quote markers", ({ text }) => `${text}\n\n${OWN}`],
  ])("is separated from the quoted mail, with its text %s", async (_name, written) => {
    const sent = await notification(locale);
    expect(await answer(sent, written(sent))).toBe(OWN);
    expect((await listMailbox(db)).map(({ subject }) => subject)).toEqual([sent.letter.subject]);
  });

  test.each<[string, (html: string) => string]>([
    [
      "as Outlook writes it",
      (html) =>
        `<div>${OWN.replace("\n\n", "</div><div><br></div><div>")}</div><div ` +
        `id="divRplyFwdMsg"><b>From:</b> Kith<br><b>Sent:</b> Friday<br><b>To:</b> ` +
        `Mira<br><b>Subject:</b> Beans</div>${html}`,
    ],
    [
      "as an unknown mail client writes it",
      (html) => `<p>${OWN.replace("\n\n", "</p><p>")}</p><div class="x">${html}</div>`,
    ],
    ["in a blockquote", (html) => `<p>${OWN.replace("\n\n", "</p><p>")}</p><blockquote>${html}</blockquote>`],
  ])("is separated from the quoted HTML below its text, %s", async (_name, written) => {
    const sent = await notification(locale);
    expect(await answer(sent, written(sent.html), "html")).toBe(OWN);
  });

  test("between quoted lines is kept with the lines before it", async () => {
    const sent = await notification(locale);
    const [before, after] = sent.text.split("> And who");
    const body = `${quote(before!.trimEnd())}\n\nIn May.\n\n${quote(`> And who${after}`)}`;
    expect(await answer(sent, body)).toBe("> When do we sow the beans?\n\nIn May.");
  });
});
