import { describe, expect, test } from "vitest";
import { HOUR } from "#platform/clock";
import { many, one, run, sql } from "#platform/database";
import { type EmailContent, renderEmailText } from "#platform/mail";
import { mailAppealNotice, mailStatusNotice } from "#community/accounts";
import { listNotifications } from "#community/notifications";
import { appealRemoval, appealSanction, Resolution, resolveCase } from "#community/moderation";
import type { SignedIn, Viewer } from "#community/rules";
import { createAccountsContext } from "../../../test/support/accounts/accounts-context.ts";
import { createMailContext } from "../../../test/support/mail/mail-context.ts";
import { createReportSetup } from "../../../test/support/moderation/report-setup.ts";
import { dispatchEvents } from "../../../test/support/notifications/deliveries.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import { type LetterText, previewDecision, toText } from "./preview-decision.ts";
import { sendNotificationMail } from "./send-notification-mail.ts";

const database = await testDatabase();
const { db, clock, inTransaction: within } = database;
const { report, setupReportedPost } = createReportSetup(database);
const accounts = createAccountsContext(database);

const decision = (caseId: string, outcome: string, more: object = {}) =>
  Resolution.parse({ caseId, outcome, reason: "It is an advert.", note: "", ...more });
const preview = (viewer: Viewer, input: ReturnType<typeof decision>) =>
  previewDecision({ ...accounts, ...createMailContext(database), database }, viewer, input);

/** Does what the event handlers do for sanctions. */
async function mailAccountNotices() {
  const events = await many(
    db,
    sql<{ id: string; at: Date; type: string; payload: never }>`
      select id, at, type, payload from outbox where handled_at is null and type like 'person.%'`,
  );
  for (const { id, at, type, payload } of events)
    if (type === "person.appeal-declined")
      await mailAppealNotice(accounts, { id, ...(payload as object) } as never);
    else await mailStatusNotice(accounts, { id, at, ...(payload as object) } as never);
}

/** Decides, and returns all emails that the person gets. */
async function decide(viewer: Viewer, to: SignedIn, input: ReturnType<typeof decision>) {
  await run(db, sql`delete from mails`);
  await within((tx) => resolveCase(tx, viewer, input));
  await mailAccountNotices();
  await dispatchEvents(database);
  clock.pass(HOUR);
  await sendNotificationMail(createMailContext(database));
  const sent = await many(
    db,
    sql<{ letter: EmailContent; text: string }>`
      select letter, body_text as text from mails where person_id = ${to.id} order by subject`,
  );
  return sent.map(({ letter, text }) => ({
    letter: toText(letter),
    whole: text === renderEmailText(letter),
  }));
}
const bySubject = (letters: LetterText[]) => letters.toSorted((a, b) => a.subject.localeCompare(b.subject));

async function setup(locale: string) {
  const it = await setupReportedPost("public");
  await run(db, sql`update people set locale = ${locale} where id = ${it.noor.id}`);
  await run(db, sql`update groups set rules = '["No shops."]' where id = ${it.group.id}`);
  const { id } = await report(it.mira, it.post.id);
  await dispatchEvents(database);
  clock.pass(HOUR);
  return { ...it, caseId: id };
}

describe("preview of a decision", () => {
  test.each(["en", "de", "fr", "es", "ar"])("has the words of the sent mail in %s", async (locale) => {
    const { tomas, noor, caseId } = await setup(locale);
    const input = decision(caseId, "removed", { rule: "No shops." });
    const [letter, ...others] = await preview(tomas, input);
    expect(others).toEqual([]);
    expect(letter).toMatchObject({ recipient: { id: noor.id }, locale });
    expect(letter!.emails).toHaveLength(1);
    expect(letter!.emails[0]!.language).toBe(locale);
    expect(letter!.emails[0]!.lines.join("\n")).toContain("No shops.\nIt is an advert.");
    const sent = await decide(tomas, noor, input);
    expect(sent).toEqual(letter!.emails.map((text) => ({ letter: text, whole: true })));
    const { rows } = await listNotifications(db, noor, { tab: "all" });
    const content = ({ kind, detail, words, object }: (typeof rows)[number]) => ({
      kind,
      detail,
      words,
      object,
    });
    expect(rows.map(content)).toEqual(letter!.notifications.map(content));
  });

  test("states that a person decided, and how to appeal", async () => {
    const { tomas, caseId } = await setup("en");
    const [letter] = await preview(tomas, decision(caseId, "removed"));
    expect(letter!.emails[0]).toEqual({
      language: "en",
      subject: "When to sow beans",
      lines: [
        "Hello Noor,",
        "“When to sow beans”: your post there was removed by a moderator.",
        "Reason: It is an advert.",
        "A person made this decision, not a program.",
        "You can appeal once, within 20 days: open the page below.",
      ],
      button: "View",
      footer: ["You get this because you wrote it."],
    });
  });

  test.each(["warned", "returned", "locked", "slowed"])(
    "has rule and words of the sent mail about a %s text, in the recipient's language",
    async (outcome) => {
      const { tomas, noor, caseId } = await setup("fr");
      const input = decision(caseId, outcome, { rule: "No shops.", days: 7 });
      const letter = (await preview(tomas, input)).find(({ recipient }) => recipient.id === noor.id)!;
      expect(letter.notifications).toHaveLength(1);
      expect(letter.emails).toMatchObject([{ language: "fr" }]);
      expect(letter.emails[0]!.lines.join("\n")).toContain("No shops.\nIt is an advert.");
      expect(letter.emails[0]!.lines.join("\n")).not.toContain("20 jours");
      expect((await decide(tomas, noor, input)).map((it) => it.letter)).toEqual(letter.emails);
    },
  );

  test("says how to appeal a group ban", async () => {
    const { tomas, noor, caseId } = await setup("en");
    const input = decision(caseId, "banned", { rule: "No shops.", days: 7 });
    const [letter] = await preview(tomas, input);
    const ban = letter!.emails.find(({ lines }) => lines.join().includes("banned"));
    expect(ban!.lines).toContain("Reason: No shops.\nIt is an advert.");
    expect(ban!.lines).toContain("You can appeal once, within 20 days: open the page below.");
    const sent = await decide(tomas, noor, input);
    expect(sent.map((it) => it.letter)).toEqual(bySubject(letter!.emails));
  });

  test.each(["limited", "suspended"])("has the words of the mail about a %s account", async (outcome) => {
    const { ada, noor, caseId } = await setup("de");
    const input = decision(caseId, outcome, { days: 7 });
    const [letter] = await preview(ada, input);
    const sent = await decide(ada, noor, input);
    expect(sent.map((it) => it.letter)).toEqual(bySubject(letter!.emails));
    expect(sent.some((it) => it.letter.lines.includes("Ein Mensch hat entschieden, kein Programm."))).toBe(
      true,
    );
  });

  test.each(["rejected", "restored"])(
    "has the words of the answer to an appeal that is %s",
    async (outcome) => {
      const { tomas, ines, noor, post, caseId } = await setup("fr");
      await decide(tomas, noor, decision(caseId, "removed"));
      await within((tx) => appealRemoval(tx, noor, { postId: post.id, text: "It was a gift." }));
      const input = decision(caseId, outcome);
      const [letter] = await preview(ines, input);
      expect(letter!.emails).toHaveLength(1);
      expect((await decide(ines, noor, input)).map((it) => it.letter)).toEqual(letter!.emails);
    },
  );

  test("has the words of the answer to an appeal against a sanction", async () => {
    const { ada, ines, noor, caseId } = await setup("en");
    await decide(ines, noor, decision(caseId, "limited", { days: 7 }));
    const appeal = await within((tx) =>
      appealSanction(tx, { ...noor, limited: true }, { text: "It was a gift." }),
    );
    const [letter] = await preview(ada, decision(appeal.id, "rejected"));
    expect(letter!.emails).toMatchObject([{ subject: "Decision on your appeal" }]);
    expect((await decide(ada, noor, decision(appeal.id, "rejected"))).map((it) => it.letter)).toEqual(
      letter!.emails,
    );
  });

  test("is empty for a decision without consequences", async () => {
    const { tomas, caseId } = await setup("en");
    expect(await preview(tomas, decision(caseId, "upheld"))).toEqual([]);
    expect(await preview(tomas, decision(caseId, "rejected"))).toEqual([]);
  });

  test("contains no links, whose tokens belong to the recipient", async () => {
    const { ada, caseId } = await setup("en");
    const letters = await preview(ada, decision(caseId, "suspended", { days: 7 }));
    expect(JSON.stringify(letters.map((it) => it.emails))).not.toContain("https://kith.test");
  });

  test("changes nothing", async () => {
    const { ada, caseId } = await setup("en");
    const counts = () =>
      one(
        db,
        sql`select (select count(*) from outbox) as events, (select count(*) from mails) as mails,
          (select count(*) from notifications) as notifications, (select count(*) from audit_events) as audit,
          (select count(*) from people where state <> 'active') as restricted,
          (select state from cases where id = ${caseId}) as state`,
      );
    const before = await counts();
    await preview(ada, decision(caseId, "suspended", { days: 7 }));
    expect(await counts()).toEqual(before);
  });

  test("is refused like the decision", async () => {
    const { tomas, mira, noor, guest, caseId } = await setup("en");
    for (const who of [mira, noor, guest])
      await expect(preview(who, decision(caseId, "removed"))).rejects.toMatchObject({ reason: "not-found" });
    await expect(preview(tomas, decision(caseId, "removed", { reason: "" }))).rejects.toMatchObject({
      reason: "invalid",
      fields: { reason: expect.any(String) },
    });
    await expect(preview(tomas, decision(caseId, "suspended"))).rejects.toMatchObject({
      reason: "not-allowed",
    });
  });
});
