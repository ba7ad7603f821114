import { HOUR, addMilliseconds } from "#platform/clock";
import { isUnavailable, many, maybeOne, run, sql, type Tx } from "#platform/database";
import { queueMail, taggedAddress } from "#platform/mail";
import { notificationVisible } from "#community/notifications";
import { links, type MailContext } from "./mail-context.ts";
import { pickLeadRow, type Notice, createNotice, type NotificationRow } from "./notification-emails.ts";
import { hashRecipient } from "./recipient-hash.ts";
import { hasReachedDailyLimit, getRecipient, type Recipient } from "./mail-recipient.ts";
import { getReplyToken } from "./reply-addresses.ts";
import { markCodeFor } from "./reply-text/reply-mark.ts";
import { mailScope, signStopToken, type Scope } from "./unsubscribe.ts";
import { fillMessage, mailMessagesFor } from "./messages/index.ts";
import { en } from "./messages/en.ts";

/** People per run: the next run is a minute away. */
const MAX_PEOPLE = 500;

/** Kinds mailed from here; other kinds have their own mails. */
export const MAILED_KINDS = [
  ...Object.keys(en.sentences),
  "group_decision",
  "group_role",
  "group_opening",
  "group_waits",
  "report_decision",
  "post_waits",
  "post_decided",
  "changed",
];

/** Due, unread and to be mailed; `n` is the notification. */
const waitingCondition = sql`n.mail_at is not null and n.mailed_at is null and n.read_at is null
  and n.withdrawn_at is null and n.kind = any(${MAILED_KINDS})`;

/**
 * Mails notifications that are due and still unread: one mail per subject with everything waiting there.
 * Returns the number of mails queued. Concurrent runs share the people among them.
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

/** An error in one person's mail delays no other's: it is retried in an hour. */
async function mailNextSafely(app: MailContext, community: string): Promise<number | null> {
  let whose: string | null = null;
  try {
    return await app.database.inTransaction((tx) =>
      mailNextPerson(tx, app, community, (personId) => (whose = personId)),
    );
  } catch (error) {
    if (whose === null || isUnavailable(error)) throw error;
    app.log.error({ err: error, personId: whose }, "a notification email could not be created");
    return app.database.inTransaction(async (tx) => postponeRows(tx, await listDueRows(tx, whose!)));
  }
}

/** Mail for the person who has waited longest; null if none is waiting. */
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
      where n.mail_at <= ${tx.now} and ${waitingCondition}
      order by n.mail_at limit 1 for update skip locked`,
  );
  if (!next) return null;
  chosen(next.personId);
  const rows = await listDueRows(tx, next.personId);
  const to = await getRecipient(tx, next.personId);
  if (to && (await hasReachedDailyLimit(tx, to.id))) return postponeRows(tx, rows);
  let sent = 0;
  for (const about of Map.groupBy(rows, mailSubjectKey).values()) {
    // Rows not yet due join a due mail, and otherwise wait.
    if (!about.some(({ due }) => due)) continue;
    const seen = about.filter((row) => row.seen);
    const mailed = to !== null && seen.length > 0 && (await mailSubject(tx, app, to, seen, community));
    await markMailed(tx, about, mailed);
    if (mailed) sent++;
  }
  return sent;
}

/**
 * Key by which rows share a mail. Pending accounts share one however many there are. Notifications about a
 * group (role, decision, visibility change) each get their own.
 */
const mailSubjectKey = ({ objectKind, objectId, kind }: NotificationRow) =>
  kind === "account_waits"
    ? kind
    : objectKind === "group" || kind === "post_removed" || kind === "post_decided" || kind === "changed"
      ? `${objectId} ${kind}`
      : objectId;

/** `seen`: visible to the person. Other rows are not mailed; a later event withdraws them. */
type DueRow = NotificationRow & { due: boolean; seen: boolean };

const listDueRows = (tx: Tx, personId: string) =>
  many(
    tx,
    sql<DueRow>`
      select n.id, n.kind, n.object_kind as "objectKind", n.object_id as "objectId", n.reason, n.detail,
        n.actors, n.items, n.latest_id as "latestId",
        n.count, n.stored_name as "keptName", n.words, n.moment, n.mailed_before as "mailedBefore",
        n.updated_at as "updatedAt", n.mail_at <= ${tx.now} as due, ${notificationVisible} as seen
      from notifications n where n.person_id = ${personId} and ${waitingCondition}
      order by n.mail_at, n.id limit 500 for update skip locked`,
  );

const rowIds = (rows: NotificationRow[]) => rows.map(({ id }) => id);

/** Marks rows as mailed, or as not to be mailed. */
const markMailed = (tx: Tx, rows: NotificationRow[], mailed: boolean) =>
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

/** The unsubscribe scope: the place, or the kind if there is no place. */
const unsubscribeScope = ({ objectKind, objectId, kind }: NotificationRow): Scope =>
  objectKind === "person" || objectKind === "announcement" || kind === "group_waits"
    ? mailScope("kind", kind)
    : mailScope(objectKind, objectId);

async function mailSubject(
  tx: Tx,
  app: MailContext,
  to: Recipient,
  rows: NotificationRow[],
  community: string,
): Promise<boolean> {
  const lead = pickLeadRow(rows);
  const scope = unsubscribeScope(lead);
  if (to.stops.includes(scope)) return false;
  const notice = await createNotice(tx, app, to, rows);
  if (!notice) return false;
  const { objectKind, objectId, latestId, id, updatedAt } = rows.reduce((a, b) =>
    b.updatedAt > a.updatedAt ? b : a,
  );
  const me = hashRecipient(to.id);
  const unsubscribe = links.unsubscribe(app, signStopToken(app.signer, to.id, scope));
  const answers =
    notice.canAnswer &&
    app.replyBox !== null &&
    (objectKind === "discussion" || objectKind === "conversation");
  const token = answers
    ? await getReplyToken(tx, app, { personId: to.id, kind: objectKind, id: objectId, latestId })
    : null;
  return queueMail(tx, {
    to: to.email,
    kind: "notice",
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
  });
}

type MailContent = {
  app: MailContext;
  to: Recipient;
  lead: NotificationRow;
  notice: Notice;
  community: string;
  unsubscribe: string;
  token: string | null;
};

function createNotificationEmail({ app, to, lead, notice, community, unsubscribe, token }: MailContent) {
  const { language, words } = mailMessagesFor(to.locale);
  const [first] = notice.parts;
  return {
    language,
    community,
    subject: notice.subject,
    ...(token && { answerLine: `${words.answerLine} · ${markCodeFor(token)}` }),
    preheader: first?.kind === "sentence" ? first.text : undefined,
    parts: [
      { kind: "sentence" as const, text: fillMessage(words.hello, { name: to.name }) },
      ...notice.parts,
    ],
    act: notice.act,
    footer: {
      lines: [
        ...(token ? [words.answerByMail] : []),
        fillMessage(words.why[lead.reason] ?? words.why.you_asked, { group: notice.group, community }),
      ],
      links: [
        { words: words.change, link: links.settings(app, to.id) },
        { words: words.stop, link: unsubscribe },
      ],
    },
  };
}
