import { DAY, later } from "#platform/clock";
import { limit, many, maybeOne, one, run, sql, type Tx } from "#platform/database";
import { type Letter, type Part, post } from "#platform/mail";
import { isId } from "#platform/ids";
import { bestUnread } from "#community/discussions";
import { filtersOf } from "#community/friends";
import { sieveOf } from "#community/rules";
import { links, type MailHouse } from "./house.ts";
import { markOf } from "./mark.ts";
import { recipientFor, type Recipient } from "./recipient.ts";
import { scopeOf, stopToken } from "./stopping.ts";
import { fill, wordsFor } from "./words/index.ts";

const BATCH = 200;
/** In the recipient's time zone. */
const HOUR_OF_DAY = 8;
/** If no process ran on its day, a digest is still sent on the next two. */
const LATE_DAYS = 2;
const SPAN: Record<string, number> = { day: DAY, week: 7 * DAY, month: 31 * DAY };
/** Much longer than any period that is checked again. */
const KEPT = 60 * DAY;

type Due = { id: string; period: string; every: string };

/**
 * Sends each person whose digest is due the best of their unread posts: once per period across all processes,
 * and not at all without content. Returns the number sent.
 */
export async function mailDigests(house: MailHouse): Promise<number> {
  const { name } = await house.settings.get();
  let sent = 0;
  let after = "00000000-0000-0000-0000-000000000000";
  for (;;) {
    const due = await house.database.inTransaction((tx) => dueAfter(tx, after));
    for (const it of due) sent += Number(await digestOf(house, it, name));
    if (due.length < BATCH) return sent;
    after = due.at(-1)!.id;
  }
}

/** An error in one digest does not stop the others; it is retried an hour later. */
async function digestOf(house: MailHouse, due: Due, community: string): Promise<boolean> {
  try {
    return await house.database.inTransaction((tx) => mailDigest(tx, house, due, community));
  } catch (error) {
    house.log.error({ err: error, personId: due.id }, "a digest could not be made");
    return false;
  }
}

/**
 * People whose latest period has started, in their time zone, and has no digest yet. A monthly digest is sent
 * on the first chosen weekday of the month.
 */
const dueAfter = (tx: Tx, after: string): Promise<Due[]> =>
  many(
    tx,
    sql<Due>`
      select id, every, to_char(begins, 'YYYY-MM-DD') as period
      from (
        select p.id, every, today, case every
            when 'day' then today
            when 'week' then today - ((extract(isodow from today)::int - on_day + 7) % 7)
            else date_trunc('month', today)::date + ((on_day - extract(isodow from date_trunc('month', today))::int + 7) % 7) end as begins
        from people p
        left join notification_settings s on s.person_id = p.id
        cross join lateral (select coalesce(s.digest_every, 'week') as every, coalesce(s.digest_day, 1)::int as on_day,
          (shown_by_clock(${tx.now}, p.time_zone) - make_interval(hours => ${HOUR_OF_DAY}))::date as today) it
        where p.id > ${after}::uuid and p.state in ('active', 'limited') and p.email is not null and p.mail_level <> 'nothing' and every <> 'never'
          and (s.paused_until is null or s.paused_until <= ${tx.now})
      ) due
      where today between begins and begins + ${LATE_DAYS}::int
        and not exists (select from digests done where done.person_id = due.id and done.period = to_char(due.begins, 'YYYY-MM-DD'))
      order by id ${limit(BATCH)}`,
  );

async function mailDigest(tx: Tx, house: MailHouse, { id, period, every }: Due, community: string): Promise<boolean> {
  const ours = await maybeOne(
    tx,
    sql`insert into digests (person_id, period, made_at, mailed) values (${id}, ${period}, ${tx.now}, false) on conflict do nothing returning 1`,
  );
  if (!ours) return false;
  const to = await recipientFor(tx, id);
  if (!to || to.stops.includes("digest")) return false;
  const best = await bestUnread(tx, to.viewer, { since: await sinceWhen(tx, id, every), except: leftOut(to) });
  // Notification filters apply to digests too.
  const sieve = sieveOf(await filtersOf(tx, to.viewer, "notifications"));
  const found = best.filter(({ title, group, excerpt }) => !sieve(`${title} ${group.name} ${excerpt}`));
  if (found.length === 0) return false;
  await run(tx, sql`update digests set mailed = true where person_id = ${id} and period = ${period}`);
  await run(tx, sql`update notification_settings set digest_sent_at = ${tx.now} where person_id = ${id}`);
  const unsubscribe = links.unsubscribe(house, stopToken(house.signer, id, scopeOf("digest")));
  return post(tx, {
    to: to.email,
    kind: "digest",
    personId: id,
    messageId: `digest.${period}.${markOf(id)}`,
    headers: { list: { id: "digest", name: community }, unsubscribe },
    letter: letterOf({ house, to, found, community, unsubscribe }),
  });
}

/** One period back plus the possible delay, and never before the last digest. */
async function sinceWhen(tx: Tx, personId: string, every: string): Promise<Date> {
  const { last } = await one(
    tx,
    sql<{ last: Date | null }>`select max(made_at) as last from digests where person_id = ${personId} and mailed`,
  );
  const since = later(tx.now, -SPAN[every]! - LATE_DAYS * DAY);
  return last && last > since ? last : since;
}

/** Groups that the person excluded from the digest. */
const leftOut = ({ stops }: Recipient) => stops.flatMap((scope) => /^digest:(.+)$/.exec(scope)?.[1] ?? []).filter(isId);

type Found = Awaited<ReturnType<typeof bestUnread>>;
type Made = { house: MailHouse; to: Recipient; found: Found; community: string; unsubscribe: string };

function letterOf({ house, to, found, community, unsubscribe }: Made): Letter {
  const { language, words } = wordsFor(to.locale);
  const { digest } = words;
  return {
    language,
    community,
    subject: fill(digest.subject, { community }),
    preheader: found.map(({ title }) => title).join(" · "),
    parts: [
      { kind: "sentence", text: fill(words.hello, { name: to.name }) },
      { kind: "sentence", text: digest.sentence },
      ...[...Map.groupBy(found, ({ group }) => group.id).values()].flatMap((rows) => groupParts(house, to, rows)),
    ],
    act: { button: digest.button, link: links.latest(house) },
    footer: {
      lines: [digest.why],
      links: [
        { words: words.change, link: links.settings(house, to.id) },
        { words: words.stop, link: unsubscribe },
      ],
    },
  };
}

function groupParts(house: MailHouse, to: Recipient, rows: Found): Part[] {
  const { digest } = wordsFor(to.locale).words;
  const { id, name, slug } = rows[0]!.group;
  return [
    { kind: "heading", text: name, link: links.group(house, slug) },
    ...rows.map((row): Part => ({
      kind: "said",
      by: row.title,
      at: row.replies === 1 ? digest.replies.one : fill(digest.replies.many, { n: row.replies }),
      text: row.excerpt,
      link: links.discussion(house, row.id, row.firstUnread ?? undefined),
    })),
    {
      kind: "link",
      words: digest.notThisGroup,
      link: links.unsubscribe(house, stopToken(house.signer, to.id, scopeOf("digest", id))),
    },
  ];
}

export const forgetDigests = (tx: Tx): Promise<number> => run(tx, sql`delete from digests where made_at < ${later(tx.now, -KEPT)}`);
