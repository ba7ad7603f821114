import { HOUR, later } from "#platform/clock";
import { isUnavailable, many, maybeOne, run, sql, type Tx } from "#platform/database";
import { post, taggedAddress } from "#platform/mail";
import { inSight } from "#community/notifications";
import { links, type MailHouse } from "./house.ts";
import { leadOf, type Notice, noticeOf, type Row } from "./notices.ts";
import { markOf } from "./mark.ts";
import { hasHadEnough, recipientFor, type Recipient } from "./recipient.ts";
import { replyTokenFor } from "./reply-addresses.ts";
import { markCodeFor } from "./reply-text/reply-mark.ts";
import { scopeOf, stopToken, type Scope } from "./stopping.ts";
import { fill, wordsFor } from "./words/index.ts";
import { en } from "./words/en.ts";

/** People per run: the next run is a minute away. */
const MOST_PEOPLE = 500;

/** Kinds mailed from here; other kinds have their own mails. */
export const NOTICE_KINDS = [
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
const waiting = sql`n.mail_at is not null and n.mailed_at is null and n.read_at is null and n.withdrawn_at is null and n.kind = any(${NOTICE_KINDS})`;

/**
 * Mails notifications that are due and still unread: one mail per subject with everything waiting there.
 * Returns the number of mails queued. Concurrent runs share the people among them.
 */
export async function mailDue(house: MailHouse): Promise<number> {
  const { name } = await house.settings.get();
  let mails = 0;
  for (let n = 0; n < MOST_PEOPLE; n++) {
    const sent = await mailOne(house, name);
    if (sent === null) break;
    mails += sent;
  }
  return mails;
}

/** An error in one person's mail delays no other's: it is retried in an hour. */
async function mailOne(house: MailHouse, community: string): Promise<number | null> {
  let whose: string | null = null;
  try {
    return await house.database.inTransaction((tx) => mailNext(tx, house, community, (personId) => (whose = personId)));
  } catch (error) {
    if (whose === null || isUnavailable(error)) throw error;
    house.log.error({ err: error, personId: whose }, "a mail could not be made");
    return house.database.inTransaction(async (tx) => wait(tx, await rowsOf(tx, whose!)));
  }
}

/** Mail for the person who has waited longest; null if none is waiting. */
async function mailNext(tx: Tx, house: MailHouse, community: string, chosen: (personId: string) => void): Promise<number | null> {
  const next = await maybeOne(
    tx,
    sql<{ personId: string }>`
      select n.person_id as "personId" from notifications n where n.mail_at <= ${tx.now} and ${waiting}
      order by n.mail_at limit 1 for update skip locked`,
  );
  if (!next) return null;
  chosen(next.personId);
  const rows = await rowsOf(tx, next.personId);
  const to = await recipientFor(tx, next.personId);
  if (to && (await hasHadEnough(tx, to.id))) return wait(tx, rows);
  let sent = 0;
  for (const about of Map.groupBy(rows, aboutWhat).values()) {
    // Rows not yet due join a due mail, and otherwise wait.
    if (!about.some(({ due }) => due)) continue;
    const seen = about.filter((row) => row.seen);
    const mailed = to !== null && seen.length > 0 && (await mailAbout(tx, house, to, seen, community));
    await settle(tx, about, mailed);
    if (mailed) sent++;
  }
  return sent;
}

/**
 * Key by which rows share a mail. Pending accounts share one however many there are. Notifications about a
 * group (role, decision, visibility change) each get their own.
 */
const aboutWhat = ({ objectKind, objectId, kind }: Row) =>
  kind === "account_waits"
    ? kind
    : objectKind === "group" || kind === "post_removed" || kind === "post_decided" || kind === "changed"
      ? `${objectId} ${kind}`
      : objectId;

/** `seen`: visible to the person. Other rows are not mailed; a later event withdraws them. */
type DueRow = Row & { due: boolean; seen: boolean };

const rowsOf = (tx: Tx, personId: string) =>
  many(
    tx,
    sql<DueRow>`
      select n.id, n.kind, n.object_kind as "objectKind", n.object_id as "objectId", n.reason, n.detail, n.actors, n.items, n.latest_id as "latestId",
        n.count, n.kept_name as "keptName", n.words, n.moment, n.mailed_before as "mailedBefore", n.updated_at as "updatedAt", n.mail_at <= ${tx.now} as due, ${inSight} as seen
      from notifications n where n.person_id = ${personId} and ${waiting}
      order by n.mail_at, n.id limit 500 for update skip locked`,
  );

const idsOf = (rows: Row[]) => rows.map(({ id }) => id);

/** Marks rows as mailed, or as not to be mailed. */
const settle = (tx: Tx, rows: Row[], mailed: boolean) =>
  run(
    tx,
    mailed
      ? sql`update notifications set mailed_at = ${tx.now} where id = any(${idsOf(rows)}::uuid[])`
      : sql`update notifications set mail_at = null where id = any(${idsOf(rows)}::uuid[])`,
  );

async function wait(tx: Tx, rows: Row[]): Promise<number> {
  await run(tx, sql`update notifications set mail_at = greatest(mail_at, ${later(tx.now, HOUR)}) where id = any(${idsOf(rows)}::uuid[])`);
  return 0;
}

/** The unsubscribe scope: the place, or the kind if there is no place. */
const scopeFor = ({ objectKind, objectId, kind }: Row): Scope =>
  objectKind === "person" || objectKind === "announcement" || kind === "group_waits"
    ? scopeOf("kind", kind)
    : scopeOf(objectKind, objectId);

async function mailAbout(tx: Tx, house: MailHouse, to: Recipient, rows: Row[], community: string): Promise<boolean> {
  const lead = leadOf(rows);
  const scope = scopeFor(lead);
  if (to.stops.includes(scope)) return false;
  const notice = await noticeOf(tx, house, to, rows);
  if (!notice) return false;
  const { objectKind, objectId, latestId, id, updatedAt } = rows.reduce((a, b) => (b.updatedAt > a.updatedAt ? b : a));
  const me = markOf(to.id);
  const unsubscribe = links.unsubscribe(house, stopToken(house.signer, to.id, scope));
  const answers = notice.canAnswer && house.replyBox !== null && (objectKind === "discussion" || objectKind === "conversation");
  const token = answers ? await replyTokenFor(tx, house, { personId: to.id, kind: objectKind, id: objectId, latestId }) : null;
  return post(tx, {
    to: to.email,
    kind: "notice",
    personId: to.id,
    messageId: `${latestId ?? id}.${updatedAt.getTime().toString(36)}.${me}`,
    headers: {
      inReplyTo: `${objectKind}.${objectId}.${me}`,
      list: { id: `${objectId}.${objectKind}s`, name: notice.listName },
      unsubscribe,
      ...(notice.fromName && { fromName: notice.fromName }),
      ...(token && { replyTo: taggedAddress(house.replyBox!, token) }),
    },
    letter: letterOf({ house, to, lead, notice, community, unsubscribe, token }),
  });
}

type Framed = { house: MailHouse; to: Recipient; lead: Row; notice: Notice; community: string; unsubscribe: string; token: string | null };

function letterOf({ house, to, lead, notice, community, unsubscribe, token }: Framed) {
  const { language, words } = wordsFor(to.locale);
  const [first] = notice.parts;
  return {
    language,
    community,
    subject: notice.subject,
    ...(token && { answerLine: `${words.answerLine} · ${markCodeFor(token)}` }),
    preheader: first?.kind === "sentence" ? first.text : undefined,
    parts: [{ kind: "sentence" as const, text: fill(words.hello, { name: to.name }) }, ...notice.parts],
    act: notice.act,
    footer: {
      lines: [
        ...(token ? [words.answerByMail] : []),
        fill(words.why[lead.reason] ?? words.why.you_asked, { group: notice.group, community }),
      ],
      links: [
        { words: words.change, link: links.settings(house, to.id) },
        { words: words.stop, link: unsubscribe },
      ],
    },
  };
}
