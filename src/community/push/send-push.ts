import { createHash } from "node:crypto";
import { DAY, addMilliseconds } from "#platform/clock";
import { limit, many, maybeOne, run, sql, type Tx } from "#platform/database";
import { enqueueJob as laterJob } from "#platform/jobs";
import { isOneOf } from "#platform/objects";
import { type WebPushClient, WebPushError } from "#platform/web-push";
import { isNotificationVisible } from "#community/notifications";
import {
  type MailContext,
  MAILED_KINDS,
  createNotice,
  type NoticeRow,
  type NotificationRecipient,
  getNotificationRecipient,
  mailMessagesFor,
} from "#community/mail";

export type PushSendContext = MailContext & { push: WebPushClient; now: () => Date };

/** Job priority. Mail has precedence, even if many people are reminded at once. */
const PRIORITY = 5;
const ROWS_PER_BATCH = 200;
const MAX_ATTEMPTS = 8;
/** Notifications older than this are outdated and not pushed. Pages still list them. */
const MAX_AGE = DAY;
const MAX_TEXT_LENGTH = 240;

type PushJob = { subscriptionId: string; notificationId: string };

/**
 * Queues a job for each browser of each person with due, unseen push notifications. Returns the number of
 * jobs. Concurrent runs handle different rows.
 */
export async function enqueuePushes({ database }: Pick<MailContext, "database">): Promise<number> {
  let jobs = 0;
  for (;;) {
    const taken = await database.inTransaction(async (tx) => {
      const { rows, browsers } = await takeDueRows(tx);
      for (const job of browsers)
        await laterJob(tx, { task: "push", payload: job, mostAttempts: MAX_ATTEMPTS, priority: PRIORITY });
      jobs += browsers.length;
      return rows;
    });
    if (taken < ROWS_PER_BATCH) return jobs;
  }
}

async function takeDueRows(tx: Tx): Promise<{ rows: number; browsers: PushJob[] }> {
  const taken = await many(
    tx,
    sql<{ id: string }>`
      update notifications set pushed_at = ${tx.now} where id in (
        select id from notifications
        where push_at <= ${tx.now} and push_at is not null and pushed_at is null and read_at is null
          and withdrawn_at is null
        order by push_at ${limit(ROWS_PER_BATCH)} for update skip locked)
      returning id`,
  );
  const browsers = await many(
    tx,
    sql<PushJob>`
      select s.id as "subscriptionId", n.id as "notificationId"
      from notifications n join push_subscriptions s on s.person_id = n.person_id
      join sessions on sessions.id = s.session_id and sessions.expires_at > ${tx.now}
      where n.id = any(${taken.map(({ id }) => id)}::uuid[]) order by n.id, s.id`,
  );
  return { rows: taken.length, browsers };
}

type PushBrowser = {
  endpoint: string;
  publicKey: string;
  auth: string;
  showsText: boolean;
  personId: string;
};

/**
 * Sends one notification to one browser, with content that its recipient may read now. Sends nothing if the
 * notification was seen or is no longer visible. Deletes the subscription if the browser no longer exists.
 * @throws `WebPushError` to be retried
 */
export async function sendPush(app: PushSendContext, job: PushJob): Promise<void> {
  const { name } = await app.settings.get();
  const made = await app.database.inTransaction((tx) => createPayload(tx, app, job, name));
  if (!made) return;
  try {
    const outcome = await app.push.send(made.browser, made.payload, made.topic);
    await run(
      app.db,
      outcome === "gone"
        ? sql`delete from push_subscriptions where id = ${job.subscriptionId}`
        : sql`update push_subscriptions set reached_at = ${app.now()} where id = ${job.subscriptionId}`,
    );
  } catch (error) {
    if (!(error instanceof WebPushError) || error.retryAfter === null) throw error;
    // Retries at the time that the push service stated, but within an hour.
    const runAt = addMilliseconds(app.now(), Math.min(error.retryAfter, 3_600) * 1_000);
    await laterJob(app.db, { task: "push", payload: job, runAt, mostAttempts: MAX_ATTEMPTS });
  }
}

type PushPayload = { title: string; body: string; url: string; tag: string; lang: string };
type PushRow = Omit<NoticeRow, "kind" | "objectKind"> & { kind: string; objectKind: string };

async function createPayload(
  tx: Tx,
  app: PushSendContext,
  job: PushJob,
  community: string,
): Promise<{ browser: PushBrowser; payload: PushPayload; topic: string } | null> {
  const browser = await maybeOne(
    tx,
    sql<PushBrowser>`select endpoint, public_key as "publicKey", auth, shows_text as "showsText",
      person_id as "personId" from push_subscriptions where id = ${job.subscriptionId}`,
  );
  if (!browser) return null;
  const row = await maybeOne(
    tx,
    selectNotification(job.notificationId, browser.personId, addMilliseconds(tx.now, -MAX_AGE)),
  );
  const reader = row ? await getNotificationRecipient(tx, browser.personId) : null;
  if (!row || !reader) return null;
  const pushText = await createPushText(tx, app, reader, row);
  if (!pushText) return null;
  const { language, words } = mailMessagesFor(reader.locale);
  const text =
    browser.showsText && pushText.title !== ""
      ? { title: pushText.title, body: pushText.body }
      : { title: community, body: words.push };
  const topic = createHash("sha256").update(row.objectId).digest("base64url").slice(0, 24);
  return {
    browser,
    topic,
    payload: { ...text, url: pushText.link.slice(app.origin().length), tag: topic, lang: language },
  };
}

/**
 * Selects the notification if the person still owns the browser and may see it: another person may have
 * subscribed on this browser after the job was queued.
 */
const selectNotification = (id: string, personId: string, since: Date) => sql<PushRow>`
  select n.id, n.kind, n.object_kind as "objectKind", n.object_id as "objectId", n.reason, n.detail, n.actors,
    n.items, n.latest_id as "latestId",
    n.count, n.stored_name as "keptName", n.words, n.moment, null::timestamptz as "mailedBefore",
    n.updated_at as "updatedAt"
  from notifications n
  where n.id = ${id} and n.person_id = ${personId} and n.read_at is null and n.withdrawn_at is null
    and n.push_at > ${since} and ${isNotificationVisible}`;

type PushText = { title: string; body: string; link: string };

/**
 * The text of the push; a generic one if there are no details to show. Null if the notification is not
 * visible to the person.
 */
async function createPushText(
  tx: Tx,
  app: PushSendContext,
  reader: NotificationRecipient,
  row: PushRow,
): Promise<PushText | null> {
  if (!isMailedRow(row)) return createFallbackText(app, reader, row);
  const notice = await createNotice(tx, app, reader, [row]);
  if (!notice) return null;
  const [first] = notice.parts;
  const latest = notice.parts.findLast((part) => part.kind === "said");
  const sentence = first?.kind === "sentence" ? first.text : "";
  return {
    title: notice.subject,
    body: latest ? `${latest.by}: ${latest.text.replace(/\s+/g, " ").slice(0, MAX_TEXT_LENGTH)}` : sentence,
    link: notice.act.link,
  };
}

const isMailedRow = (row: PushRow): row is NoticeRow => isOneOf(MAILED_KINDS, row.kind);

/** Decisions by staff about an account. The push links to the page about the person's account status. */
const STATUS_DECISIONS = ["limited", "restored"];

function createFallbackText(
  app: PushSendContext,
  { id }: NotificationRecipient,
  { kind, detail, objectKind, objectId }: PushRow,
): PushText {
  const at = (path: string) => ({ title: "", body: "", link: `${app.origin()}${path}` });
  if (kind === "security" && STATUS_DECISIONS.includes(detail)) return at("/login/standing");
  if (kind === "security" && detail.startsWith("token")) return at(`/users/settings/${id}/tokens`);
  if (kind === "security") return at(`/users/settings/${id}/security#sessions`);
  return at(objectKind === "discussion" ? `/discussions/${objectId}` : "/notifications");
}
