import { many, one, sql, type Database, type Tx } from "#platform/database";
import type { EmailContent } from "#platform/mail";
import type { DomainEvent } from "#platform/outbox";
import { Refusal } from "#platform/refusal";
import type { z } from "zod";
import {
  type AccountsContext,
  mailAppealNoticeWithin,
  mailStatusNoticeWithin,
  toAccountTx,
} from "#community/accounts";
import { personCard, type PersonCard } from "#community/common";
import { type Resolution, resolveCase } from "#community/moderation";
import {
  getNotification,
  type NotificationItem,
  NOTIFYING_EVENTS,
  notifyOfEventWithin,
} from "#community/notifications";
import type { Viewer } from "#community/rules";
import type { MailContext } from "./mail-context.ts";
import { getMailAuthor, type NotificationRecipient } from "./mail-recipient.ts";
import { createNotice, type NotificationRow } from "./notification-emails.ts";
import { createNotificationEmail } from "./notification-email-content.ts";
import { MAILED_KINDS } from "./send-notification-mail.ts";

/**
 * Texts of an email, without its links: they contain tokens that only its recipient may have.
 */
export type LetterText = {
  language: string;
  subject: string;
  lines: string[];
  button: string;
  footer: string[];
};
/** Notification and email that one person would receive about a decision, in their language. */
export type DecisionLetter = {
  recipient: PersonCard;
  locale: string;
  timeZone: string;
  notifications: NotificationItem[];
  emails: LetterText[];
};
type PreviewContext = Omit<MailContext, "replyBox" | "database"> &
  Pick<AccountsContext, "now" | "sealer"> & { database: Database };

/** Reasons of notifications that authors and people who appealed receive; reporters receive others. */
const AUTHOR_REASONS = ["your_post", "you_keep", "you_asked", "account", "about_you"];

/** Events whose emails the accounts module sends. */
const ACCOUNT_EVENTS = ["person.status-changed", "person.appeal-declined"];

/** Ends the transaction of a preview. */
class PreviewDone extends Error {
  readonly letters: DecisionLetter[];
  constructor(letters: DecisionLetter[]) {
    super("The preview is complete.");
    this.letters = letters;
  }
}

/**
 * What authors would receive about a decision. It decides the case, notifies and mails as usual, in a
 * transaction that is rolled back: texts are those of the real letters, and an invalid decision is refused in
 * the same way. Emails are shown whatever the recipient's settings, which moderators may not know.
 * @throws like `resolveCase`
 */
export async function previewDecision(
  app: PreviewContext,
  viewer: Viewer,
  input: z.output<typeof Resolution>,
): Promise<DecisionLetter[]> {
  const site = await app.settings.get();
  try {
    await app.database.inTransaction(async (tx) => {
      await resolveCase(tx, viewer, input);
      const people = await sendLetters(app, toAccountTx(tx, site));
      throw new PreviewDone(await listLetters(app, tx, people, site.name));
    });
  } catch (error) {
    if (error instanceof PreviewDone) return error.letters;
    throw error;
  }
  return [];
}

/** Rows of a table that the current transaction has written. */
const writtenHere = (row: string) => sql`${sql.ref(row)}.xmin = pg_current_xact_id()::xid`;

/** Does what the handlers of the emitted domain events would do. Returns the ids of all recipients. */
async function sendLetters(app: PreviewContext, tx: ReturnType<typeof toAccountTx>): Promise<string[]> {
  const events = await many(
    tx,
    sql<{ id: string; payload: DomainEvent; at: Date }>`
      select id, payload, at from outbox where xid = pg_current_xact_id() and handled_at is null order by id`,
  );
  const people: string[] = [];
  for (const { id, payload, at } of events) {
    if (NOTIFYING_EVENTS.includes(payload.type))
      people.push(...(await notifyOfEventWithin(tx, { id, payload })).people);
    const personId = String(payload["personId"]);
    if (ACCOUNT_EVENTS.includes(payload.type)) people.push(personId);
    if (payload.type === "person.status-changed")
      await mailStatusNoticeWithin(app, tx, {
        id,
        personId,
        state: String(payload["state"]),
        lifted: payload["lifted"] === true,
        at,
      });
    if (payload.type === "person.appeal-declined")
      await mailAppealNoticeWithin(tx, { id, personId, reportId: String(payload["reportId"]) });
  }
  return people;
}

type WrittenRow = NotificationRow & { personId: string };

async function listLetters(
  app: PreviewContext,
  tx: Tx,
  people: string[],
  community: string,
): Promise<DecisionLetter[]> {
  const rows = await many(
    tx,
    sql<WrittenRow>`
      select n.id, n.person_id as "personId", n.kind, n.object_kind as "objectKind", n.object_id as "objectId",
        n.reason, n.detail, n.actors, n.items, n.latest_id as "latestId", n.count, n.stored_name as "keptName",
        n.words, n.moment, n.mailed_before as "mailedBefore", n.updated_at as "updatedAt"
      from notifications n
      where n.person_id = any(${people}::uuid[]) and n.updated_at = ${tx.now} and ${writtenHere("n")}
        and n.reason = any(${AUTHOR_REASONS}::text[])
      order by n.created_at, n.id`,
  );
  const mails = await many(
    tx,
    sql<{ personId: string; letter: EmailContent }>`
      select m.person_id as "personId", m.letter from mails m
      where m.person_id = any(${people}::uuid[]) and m.created_at = ${tx.now} and ${writtenHere("m")}
      order by m.id`,
  );
  const letters: DecisionLetter[] = [];
  for (const personId of new Set([...rows, ...mails].map((it) => it.personId)))
    letters.push({
      ...(await getRecipient(tx, personId)),
      ...(await readNotifications(
        app,
        tx,
        personId,
        rows.filter((it) => it.personId === personId),
        community,
      )),
    });
  return letters.map((it) => ({
    ...it,
    emails: [
      ...it.emails,
      ...mails.filter(({ personId }) => personId === it.recipient.id).map(({ letter }) => toText(letter)),
    ],
  }));
}

const getRecipient = (tx: Tx, personId: string) =>
  one(
    tx,
    sql<Pick<DecisionLetter, "recipient" | "locale" | "timeZone">>`
      select ${personCard("who")} as recipient, who.locale, who.time_zone as "timeZone"
      from people who where who.id = ${personId}`,
  );

/** Reads the notifications as their recipient, and composes the emails about them. */
async function readNotifications(
  app: PreviewContext,
  tx: Tx,
  personId: string,
  rows: WrittenRow[],
  community: string,
): Promise<Pick<DecisionLetter, "notifications" | "emails">> {
  const to = await getMailAuthor(tx, personId);
  const notifications: NotificationItem[] = [];
  const emails: LetterText[] = [];
  for (const row of to ? rows : []) {
    const shown = await findVisibleNotification(tx, to!, row.id);
    if (!shown) continue;
    notifications.push(shown);
    const email = MAILED_KINDS.includes(row.kind) && (await composeEmail(app, tx, to!, row, community));
    if (email) emails.push(toText(email));
  }
  return { notifications, emails };
}

/** Null for a notification about a subject that its recipient cannot see: it is neither shown nor mailed. */
const findVisibleNotification = (tx: Tx, { viewer }: NotificationRecipient, id: string) =>
  getNotification(tx, viewer, id).catch((error: unknown) => {
    if (error instanceof Refusal) return null;
    throw error;
  });

async function composeEmail(
  app: PreviewContext,
  tx: Tx,
  to: NotificationRecipient,
  row: NotificationRow,
  community: string,
): Promise<EmailContent | null> {
  const context = { ...app, replyBox: null };
  const notice = await createNotice(tx, context, to, [row]);
  if (!notice) return null;
  return createNotificationEmail({
    app: context,
    to,
    lead: row,
    notice,
    community,
    unsubscribe: "",
    token: null,
  });
}

/** Texts of an email as its recipient reads them, from greeting to footer. */
export const toText = ({ language, subject, parts, act, footer }: EmailContent): LetterText => ({
  language,
  subject,
  lines: parts.flatMap((part) => (part.kind === "sentence" ? part.text : [])),
  button: act?.button ?? "",
  footer: footer?.lines ?? [],
});
