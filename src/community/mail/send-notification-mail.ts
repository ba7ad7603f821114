import { HOUR, addMilliseconds } from "#platform/clock";
import { isUnavailable, many, maybeOne, run, sql, type Tx } from "#platform/database";
import { type Mail, queueMail, taggedAddress } from "#platform/mail";
import { NOTIFICATION_KIND_DEFINITIONS } from "#community/rules";
import { isNotificationVisible } from "#community/notifications";
import { isKeyOf, keysOf } from "#platform/objects";
import { mailLinks, type MailContext } from "./mail-context.ts";
import { pickLeadRow, createNotice, type Notice, type NotificationRow } from "./notification-emails.ts";
import { createNotificationEmail } from "./notification-email-content.ts";
import type { MailedKind } from "./messages/message-types.ts";
import { hashRecipient } from "./recipient-hash.ts";
import { hasReachedDailyLimit, getMailRecipient, type MailRecipient } from "./mail-recipient.ts";
import { getReplyToken } from "./reply-addresses.ts";
import { mailScope, signUnsubscribeToken, type UnsubscribeScope } from "./unsubscribe.ts";
import { en } from "./messages/en.ts";

/** Maximum number of people per run. The next run starts a minute later. */
const MAX_PEOPLE = 500;

/** Kinds that this module mails. Other kinds have mails of their own. */
export const MAILED_KINDS: readonly MailedKind[] = [
  ...keysOf(en.sentences),
  "group_decision",
  "group_role",
  "group_opening",
  "group_waits",
  "report_decision",
  "post_waits",
  "post_decided",
  "changed",
  "event_changed",
  "event_host",
];
/** Kinds that many people receive at once. A separate job mails them. */
export const BULK_KINDS = MAILED_KINDS.filter(
  (kind) => isKeyOf(NOTIFICATION_KIND_DEFINITIONS, kind) && NOTIFICATION_KIND_DEFINITIONS[kind].bulk,
);
const OTHER_KINDS = MAILED_KINDS.filter((kind) => !BULK_KINDS.includes(kind));

/** Condition for a notification `n` that waits for mail: it is unread, not withdrawn and not mailed yet. */
export const waitingCondition = (
  kinds: readonly MailedKind[],
) => sql`n.mail_at is not null and n.mailed_at is null
  and n.read_at is null and n.withdrawn_at is null and n.kind = any(${kinds})`;

/**
 * Mails notifications that are due and still unread: one mail per subject with all waiting notifications
 * about it. Returns the number of mails queued. Concurrent runs handle different people.
 */
export async function sendNotificationMail(app: MailContext): Promise<number> {
  const { name } = await app.settings.get();
  let mails = 0;
  for (let n = 0; n < MAX_PEOPLE; n++) {
    const sent = await mailNextSafely(app, name);
    if (sent === null) break;
    mails += sent;
  }
  return mails;
}

async function mailNextSafely(app: MailContext, community: string): Promise<number | null> {
  const who = { personId: "", kinds: OTHER_KINDS };
  return mailSafely(app, who, (tx) =>
    mailNextPerson(tx, app, community, (personId) => (who.personId = personId)),
  );
}

/** Runs `mail` for one person. An error does not delay mail to others; it is retried in an hour. */
export async function mailSafely<Sent extends number | null>(
  app: MailContext,
  who: WaitingPerson,
  mail: (tx: Tx) => Promise<Sent>,
): Promise<Sent | number> {
  try {
    return await app.database.inTransaction(mail);
  } catch (error) {
    const { personId } = who;
    if (personId === "" || isUnavailable(error)) throw error;
    app.log.error({ err: error, personId }, "a notification email could not be created");
    return app.database.inTransaction(async (tx) => postponeRows(tx, await listDueRows(tx, who)));
  }
}

/** Mails the person who has waited longest; null if no person is waiting. */
async function mailNextPerson(
  tx: Tx,
  app: MailContext,
  community: string,
  chosen: (personId: string) => void,
): Promise<number | null> {
  const next = await maybeOne(
    tx,
    sql<{ personId: string }>`
      select n.person_id as "personId" from notifications n
      where n.mail_at <= ${tx.now} and ${waitingCondition(OTHER_KINDS)}
      order by n.mail_at limit 1 for update skip locked`,
  );
  if (!next) return null;
  chosen(next.personId);
  return mailPerson(tx, app, community, { personId: next.personId, kinds: OTHER_KINDS });
}

/** A person with the kinds of their waiting notifications. */
type WaitingPerson = { personId: string; kinds: readonly MailedKind[] };

/** Mails one person, and returns the number of mails. */
export async function mailPerson(
  tx: Tx,
  app: MailContext,
  community: string,
  who: WaitingPerson,
): Promise<number> {
  const rows = await listDueRows(tx, who);
  const to = await getMailRecipient(tx, who.personId);
  if (to && (await hasReachedDailyLimit(tx, to.id))) return postponeRows(tx, rows);
  let sent = 0;
  for (const about of Map.groupBy(rows, mailSubjectKey).values()) {
    // Notifications that are not due yet are included in a due mail; otherwise they wait.
    if (!about.some(({ due }) => due)) continue;
    const seen = about.filter((row) => row.seen);
    const mailed = to !== null && seen.length > 0 && (await mailSubject(tx, app, to, seen, community));
    await markMailed(tx, about, mailed);
    if (mailed) sent++;
  }
  return sent;
}

/**
 * Notifications with the same key share a mail. All pending accounts share one key. A notification about a
 * group or a decision has a key for its subject and kind.
 */
const mailSubjectKey = ({ objectKind, objectId, kind }: NotificationRow) =>
  kind === "account_waits"
    ? kind
    : objectKind === "group" || kind === "post_removed" || kind === "post_decided" || kind === "changed"
      ? `${objectId} ${kind}`
      : objectId;

/**
 * `seen`: visible to the person. Notifications about hidden subjects are not mailed; a later domain event
 * withdraws them.
 */
export type DueRow = NotificationRow & { due: boolean; seen: boolean };

/** Selects rows `n` of waiting notifications. The caller appends conditions. */
export const selectDueRows = (tx: Tx, kinds: readonly MailedKind[], more = sql``) => sql<DueRow>`
  select n.id, n.kind, n.object_kind as "objectKind", n.object_id as "objectId", n.reason, n.detail,
    n.actors, n.items, n.latest_id as "latestId",
    n.count, n.stored_name as "keptName", n.words, n.moment, n.mailed_before as "mailedBefore",
    n.updated_at as "updatedAt", n.mail_at <= ${tx.now} as due, ${isNotificationVisible} as seen ${more}
  from notifications n where ${waitingCondition(kinds)}`;

const listDueRows = (tx: Tx, { personId, kinds }: WaitingPerson) =>
  many(
    tx,
    sql<DueRow>`
      ${selectDueRows(tx, kinds)} and n.person_id = ${personId}
      order by n.mail_at, n.id limit 500 for update skip locked`,
  );

const rowIds = (rows: NotificationRow[]) => rows.map(({ id }) => id);

/** Marks notifications as handled: mailed, or never to be mailed. */
export const markMailed = (tx: Tx, rows: NotificationRow[], mailed: boolean) =>
  run(
    tx,
    mailed
      ? sql`update notifications set mailed_at = ${tx.now} where id = any(${rowIds(rows)}::uuid[])`
      : sql`update notifications set mail_at = null where id = any(${rowIds(rows)}::uuid[])`,
  );

async function postponeRows(tx: Tx, rows: NotificationRow[]): Promise<number> {
  await run(
    tx,
    sql`update notifications set mail_at = greatest(mail_at, ${addMilliseconds(tx.now, HOUR)})
      where id = any(${rowIds(rows)}::uuid[])`,
  );
  return 0;
}

/** The unsubscribe scope of a notification: its place, or its kind if it has no place. */
export const unsubscribeScope = ({ objectKind, objectId, kind }: NotificationRow): UnsubscribeScope =>
  objectKind === "person" ||
  objectKind === "announcement" ||
  objectKind === "event" ||
  objectKind === "date_poll" ||
  kind === "group_waits"
    ? mailScope("kind", kind)
    : mailScope(objectKind, objectId);

async function mailSubject(
  tx: Tx,
  app: MailContext,
  to: MailRecipient,
  rows: NotificationRow[],
  community: string,
): Promise<boolean> {
  const lead = pickLeadRow(rows);
  if (to.stops.includes(unsubscribeScope(lead))) return false;
  const notice = await createNotice(tx, app, to, rows);
  if (!notice) return false;
  const latest = rows.reduce((a, b) => (b.updatedAt > a.updatedAt ? b : a));
  const { objectKind, objectId: id, latestId } = latest;
  const addressFor = async (kind: "discussion" | "conversation" | "event") =>
    app.replyBox === null ? null : getReplyToken(tx, app, { personId: to.id, kind, id, latestId });
  const token =
    notice.canAnswer && (objectKind === "discussion" || objectKind === "conversation")
      ? await addressFor(objectKind)
      : null;
  const inviteToken = notice.invite ? await addressFor("event") : null;
  const replyAddress = inviteToken && taggedAddress(app.replyBox!, inviteToken);
  const calendar = notice.invite?.({ email: to.email, replyAddress });
  const mail = createNotificationMail(app, to, { lead, latest, notice, community, token });
  return queueMail(tx, { ...mail, letter: { ...mail.letter, ...(calendar && { calendar }) } });
}

type MailFacts = {
  lead: NotificationRow;
  /** The notification that changed last; it names the mail and its thread. */
  latest: NotificationRow;
  notice: Notice;
  community: string;
  token: string | null;
};

/** A mail about a notice, without its calendar part. */
export function createNotificationMail(
  app: MailContext,
  to: MailRecipient,
  { lead, latest, notice, community, token }: MailFacts,
): Mail & { messageId: string } {
  const { objectKind, objectId, latestId, id, updatedAt } = latest;
  const me = hashRecipient(to.id);
  const unsubscribe = mailLinks.unsubscribe(
    app,
    signUnsubscribeToken(app.signer, to.id, unsubscribeScope(lead)),
  );
  return {
    to: to.email,
    kind: "notice",
    bulk: BULK_KINDS.includes(lead.kind),
    personId: to.id,
    messageId: `${latestId ?? id}.${updatedAt.getTime().toString(36)}.${me}`,
    headers: {
      inReplyTo: `${objectKind}.${objectId}.${me}`,
      list: { id: `${objectId}.${objectKind}s`, name: notice.listName },
      unsubscribe,
      ...(notice.fromName && { fromName: notice.fromName }),
      ...(token && { replyTo: taggedAddress(app.replyBox!, token) }),
    },
    letter: createNotificationEmail({ app, to, lead, notice, community, unsubscribe, token }),
  };
}
