import { DAY, addMilliseconds } from "#platform/clock";
import { limit, many, maybeOne, one, run, sql, type Tx } from "#platform/database";
import { type EmailContent, type EmailPart, queueMail } from "#platform/mail";
import { isId } from "#platform/ids";
import { listTopUnread } from "#community/discussions";
import { listWordFilters } from "#community/friends";
import { createFilterMatcher } from "#community/rules";
import { mailLinks, type MailContext } from "./mail-context.ts";
import { hashRecipient } from "./recipient-hash.ts";
import { getMailRecipient, type MailRecipient } from "./mail-recipient.ts";
import { mailScope, signUnsubscribeToken } from "./unsubscribe.ts";
import { fillMessage, mailMessagesFor } from "./messages/index.ts";

const PEOPLE_PER_BATCH = 200;
/** Hour of sending, in the recipient's time zone. */
const HOUR_OF_DAY = 8;
/** Days after the due date on which a digest is still sent, if no process ran before. */
const LATE_DAYS = 2;
const PERIOD_LENGTHS: Record<string, number> = { day: DAY, week: 7 * DAY, month: 31 * DAY };
/** Time for which sent digests are stored: much longer than any period that is checked again. */
const RETENTION = 60 * DAY;

type DueDigest = { id: string; period: string; every: string };

/**
 * Sends a digest of the best unread posts to each person whose digest is due: once per period across all
 * processes, and only if the digest has content. Returns the number sent.
 */
export async function mailDigests(app: MailContext): Promise<number> {
  const { name } = await app.settings.get();
  let sent = 0;
  let after = "00000000-0000-0000-0000-000000000000";
  for (;;) {
    const due = await app.database.inTransaction((tx) => listDueDigests(tx, after));
    for (const it of due) sent += Number(await mailDigestSafely(app, it, name));
    if (due.length < PEOPLE_PER_BATCH) return sent;
    after = due.at(-1)!.id;
  }
}

/** An error in one digest does not stop the others; it is retried an hour later. */
async function mailDigestSafely(app: MailContext, due: DueDigest, community: string): Promise<boolean> {
  try {
    return await app.database.inTransaction((tx) => mailDigest(tx, app, due, community));
  } catch (error) {
    app.log.error({ err: error, personId: due.id }, "a digest could not be created");
    return false;
  }
}

/**
 * People whose latest period has started, in their time zone, and has no digest yet. A monthly digest is sent
 * on the first chosen weekday of the month.
 */
const listDueDigests = (tx: Tx, after: string): Promise<DueDigest[]> =>
  many(
    tx,
    sql<DueDigest>`
      select id, every, to_char(begins, 'YYYY-MM-DD') as period
      from (
        select p.id, every, today, case every
            when 'day' then today
            when 'week' then today - ((extract(isodow from today)::int - on_day + 7) % 7)
            else date_trunc('month', today)::date
              + ((on_day - extract(isodow from date_trunc('month', today))::int + 7) % 7) end as begins
        from people p
        left join notification_settings s on s.person_id = p.id
        cross
        join lateral (select coalesce(s.digest_every, 'week') as every,
          coalesce(s.digest_day, 1)::int as on_day,
          (instant_to_local_time(${tx.now}, p.time_zone) - make_interval(hours => ${HOUR_OF_DAY}))::date
            as today) it
        where p.id > ${after}::uuid and p.state in ('active', 'limited') and p.email is not null
          and p.mail_level <> 'nothing' and every <> 'never'
          and (s.paused_until is null or s.paused_until <= ${tx.now})
      ) due
      where today between begins and begins + ${LATE_DAYS}::int
        and not exists (select from digests done
          where done.person_id = due.id and done.period = to_char(due.begins, 'YYYY-MM-DD'))
      order by id ${limit(PEOPLE_PER_BATCH)}`,
  );

async function mailDigest(
  tx: Tx,
  app: MailContext,
  { id, period, every }: DueDigest,
  community: string,
): Promise<boolean> {
  const ours = await maybeOne(
    tx,
    sql`insert into digests (person_id, period, created_at, mailed)
      values (${id}, ${period}, ${tx.now}, false) on conflict do nothing returning 1`,
  );
  if (!ours) return false;
  const to = await getMailRecipient(tx, id);
  if (!to || to.stops.includes("digest")) return false;
  const best = await listTopUnread(tx, to.viewer, {
    since: await findDigestStart(tx, id, every),
    except: excludedGroups(to),
  });
  // Notification filters apply to digests too.
  const sieve = createFilterMatcher(await listWordFilters(tx, to.viewer, "notifications"));
  const found = best.filter(({ title, group, excerpt }) => !sieve(`${title} ${group.name} ${excerpt}`));
  if (found.length === 0) return false;
  await run(tx, sql`update digests set mailed = true where person_id = ${id} and period = ${period}`);
  await run(tx, sql`update notification_settings set digest_sent_at = ${tx.now} where person_id = ${id}`);
  const unsubscribe = mailLinks.unsubscribe(app, signUnsubscribeToken(app.signer, id, mailScope("digest")));
  return queueMail(tx, {
    to: to.email,
    kind: "digest",
    personId: id,
    messageId: `digest.${period}.${hashRecipient(id)}`,
    headers: { list: { id: "digest", name: community }, unsubscribe },
    letter: createDigestEmail({ app, to, found, community, unsubscribe }),
  });
}

/**
 * Start of the period that a digest covers: one period plus the possible delay, but not before the last
 * digest.
 */
async function findDigestStart(tx: Tx, personId: string, every: string): Promise<Date> {
  const { last } = await one(
    tx,
    sql<{
      last: Date | null;
    }>`select max(created_at) as last from digests where person_id = ${personId} and mailed`,
  );
  const since = addMilliseconds(tx.now, -PERIOD_LENGTHS[every]! - LATE_DAYS * DAY);
  return last && last > since ? last : since;
}

/** Groups that the person excluded from the digest. */
const excludedGroups = ({ stops }: MailRecipient) =>
  stops.flatMap((scope) => /^digest:(.+)$/.exec(scope)?.[1] ?? []).filter(isId);

type UnreadPosts = Awaited<ReturnType<typeof listTopUnread>>;
type DigestContent = {
  app: MailContext;
  to: MailRecipient;
  found: UnreadPosts;
  community: string;
  unsubscribe: string;
};

function createDigestEmail({ app, to, found, community, unsubscribe }: DigestContent): EmailContent {
  const { language, words } = mailMessagesFor(to.locale);
  const { digest } = words;
  return {
    language,
    community,
    subject: fillMessage(digest.subject, { community }),
    preheader: found.map(({ title }) => title).join(" · "),
    parts: [
      { kind: "sentence", text: fillMessage(words.hello, { name: to.name }) },
      { kind: "sentence", text: digest.sentence },
      ...[...Map.groupBy(found, ({ group }) => group.id).values()].flatMap((rows) =>
        createGroupParts(app, to, rows),
      ),
    ],
    act: { button: digest.button, link: mailLinks.latest(app) },
    footer: {
      lines: [digest.why],
      links: [
        { words: words.change, link: mailLinks.settings(app, to.id) },
        { words: words.stop, link: unsubscribe },
      ],
    },
  };
}

function createGroupParts(app: MailContext, to: MailRecipient, rows: UnreadPosts): EmailPart[] {
  const { digest } = mailMessagesFor(to.locale).words;
  const { id, name, slug } = rows[0]!.group;
  return [
    { kind: "heading", text: name, link: mailLinks.group(app, slug) },
    ...rows.map((row): EmailPart => ({
      kind: "said",
      by: row.title,
      title: true,
      at: row.replies === 1 ? digest.replies.one : fillMessage(digest.replies.many, { n: row.replies }),
      text: row.excerpt,
      language: row.language,
      link: mailLinks.discussion(app, row.id, row.firstUnread ?? undefined),
    })),
    {
      kind: "link",
      words: digest.notThisGroup,
      link: mailLinks.unsubscribe(app, signUnsubscribeToken(app.signer, to.id, mailScope("digest", id))),
    },
  ];
}

export const deleteOldDigests = (tx: Tx): Promise<number> =>
  run(tx, sql`delete from digests where created_at < ${addMilliseconds(tx.now, -RETENTION)}`);
