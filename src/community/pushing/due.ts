import { createHash } from "node:crypto";
import { DAY, later } from "#platform/clock";
import { limit, many, maybeOne, run, sql, type Tx } from "#platform/database";
import { later as laterJob } from "#platform/jobs";
import { type Push, PushFault } from "#platform/push";
import { inSight } from "#community/notifications";
import { type MailHouse, NOTICE_KINDS, noticeOf, type NoticeRow, type Reader, readerFor, wordsFor } from "#community/mailing";

export type PushHouse = MailHouse & { push: Push; now: () => Date };

const SHARE = 200;
const ATTEMPTS = 8;
/** Older notifications are not pushed: they are outdated and listed on the page. */
const TOO_LATE = DAY;
const LENGTH = 240;

type Job = { subscriptionId: string; notificationId: string };

/**
 * Queues a job per browser of each person with due, unseen push notifications. Returns the number. Concurrent
 * runs share the rows; each is taken once.
 */
export async function pushDue({ database }: Pick<MailHouse, "database">): Promise<number> {
  let jobs = 0;
  for (;;) {
    const taken = await database.inTransaction(async (tx) => {
      const { rows, browsers } = await takeDue(tx);
      for (const job of browsers) await laterJob(tx, { task: "push", payload: job, mostAttempts: ATTEMPTS });
      jobs += browsers.length;
      return rows;
    });
    if (taken < SHARE) return jobs;
  }
}

async function takeDue(tx: Tx): Promise<{ rows: number; browsers: Job[] }> {
  const taken = await many(
    tx,
    sql<{ id: string }>`
      update notifications set pushed_at = ${tx.now} where id in (
        select id from notifications
        where push_at <= ${tx.now} and push_at is not null and pushed_at is null and read_at is null and withdrawn_at is null
        order by push_at ${limit(SHARE)} for update skip locked)
      returning id`,
  );
  const browsers = await many(
    tx,
    sql<Job>`
      select s.id as "subscriptionId", n.id as "notificationId"
      from notifications n join push_subscriptions s on s.person_id = n.person_id join sessions on sessions.id = s.session_id and sessions.expires_at > ${tx.now}
      where n.id = any(${taken.map(({ id }) => id)}::uuid[]) order by n.id, s.id`,
  );
  return { rows: taken.length, browsers };
}

type Browser = { endpoint: string; publicKey: string; auth: string; showsText: boolean; personId: string };

/**
 * Sends one notification to one browser, with content as its person may read it now; nothing if it was seen
 * or is no longer visible. Deletes a subscription whose browser is gone.
 * @throws `PushFault` to be retried
 */
export async function pushOne(house: PushHouse, job: Job): Promise<void> {
  const { name } = await house.settings.get();
  const made = await house.database.inTransaction((tx) => payloadFor(tx, house, job, name));
  if (!made) return;
  try {
    const outcome = await house.push.send(made.browser, made.payload, made.topic);
    await run(
      house.db,
      outcome === "gone"
        ? sql`delete from push_subscriptions where id = ${job.subscriptionId}`
        : sql`update push_subscriptions set reached_at = ${house.now()} where id = ${job.subscriptionId}`,
    );
  } catch (error) {
    if (!(error instanceof PushFault) || error.retryAfter === null) throw error;
    // The push service stated when to retry: not earlier, and within an hour.
    const runAt = later(house.now(), Math.min(error.retryAfter, 3_600) * 1_000);
    await laterJob(house.db, { task: "push", payload: job, runAt, mostAttempts: ATTEMPTS });
  }
}

type Payload = { title: string; body: string; url: string; tag: string; lang: string };
type Found = Omit<NoticeRow, "kind" | "objectKind"> & { kind: string; objectKind: string };

async function payloadFor(
  tx: Tx,
  house: PushHouse,
  job: Job,
  community: string,
): Promise<{ browser: Browser; payload: Payload; topic: string } | null> {
  const browser = await maybeOne(
    tx,
    sql<Browser>`select endpoint, public_key as "publicKey", auth, shows_text as "showsText", person_id as "personId" from push_subscriptions where id = ${job.subscriptionId}`,
  );
  if (!browser) return null;
  const row = await maybeOne(tx, selectOf(job.notificationId, browser.personId, later(tx.now, -TOO_LATE)));
  const reader = row ? await readerFor(tx, browser.personId) : null;
  if (!row || !reader) return null;
  const said = await wordsOf(tx, house, reader, row);
  if (!said) return null;
  const { language, words } = wordsFor(reader.locale);
  const text = browser.showsText && said.title !== "" ? { title: said.title, body: said.body } : { title: community, body: words.push };
  const topic = createHash("sha256").update(row.objectId).digest("base64url").slice(0, 24);
  return { browser, topic, payload: { ...text, url: said.link.slice(house.origin().length), tag: topic, lang: language } };
}

/**
 * Only for the person who owns the browser now, since another may have taken it over after the job was
 * queued; and only if visible to them.
 */
const selectOf = (id: string, personId: string, since: Date) => sql<Found>`
  select n.id, n.kind, n.object_kind as "objectKind", n.object_id as "objectId", n.reason, n.detail, n.actors, n.items, n.latest_id as "latestId",
    n.count, n.kept_name as "keptName", n.words, n.moment, null::timestamptz as "mailedBefore", n.updated_at as "updatedAt"
  from notifications n
  where n.id = ${id} and n.person_id = ${personId} and n.read_at is null and n.withdrawn_at is null and n.push_at > ${since} and ${inSight}`;

type Said = { title: string; body: string; link: string };

/**
 * The text of the push; a generic one if there is no more to say. Null if it is not visible to the person.
 */
async function wordsOf(tx: Tx, house: PushHouse, reader: Reader, row: Found): Promise<Said | null> {
  if (!NOTICE_KINDS.includes(row.kind)) return bareOf(house, reader, row);
  const notice = await noticeOf(tx, house, reader, [row as NoticeRow]);
  if (!notice) return null;
  const [first] = notice.parts;
  const latest = notice.parts.findLast((part) => part.kind === "said");
  const sentence = first?.kind === "sentence" ? first.text : "";
  return {
    title: notice.subject,
    body: latest ? `${latest.by}: ${latest.text.replace(/\s+/g, " ").slice(0, LENGTH)}` : sentence,
    link: notice.act.link,
  };
}

/** Decisions on an account by staff, which have a page of their own. */
const DECIDED = ["limited", "restored"];

function bareOf(house: PushHouse, { id }: Reader, { kind, detail, objectKind, objectId }: Found): Said {
  const at = (path: string) => ({ title: "", body: "", link: `${house.origin()}${path}` });
  if (kind === "security" && DECIDED.includes(detail)) return at("/login/standing");
  if (kind === "security") return at(`/users/settings/${id}#sessions`);
  return at(objectKind === "discussion" ? `/discussions/${objectId}` : "/notifications");
}
