import { DAY, addMilliseconds, SECOND } from "#platform/clock";
import { limit, maybeOne, one, run, sql, type Tx } from "#platform/database";
import { tooManyRequests } from "#platform/limits";
import { msg } from "#platform/messages";
import { invalid, Refusal } from "#platform/refusal";
import { assertPictureLimit } from "#community/common";
import {
  type DiscussionFacts,
  discussionRules,
  isStaff,
  type SignedIn,
  SERVER_LIMITS,
} from "#community/rules";
import { hasWritingLimits as hold } from "#community/settings";
import type { ReplyTarget } from "../discussion-columns.ts";
import type { PostContainer } from "./post-container.ts";

// Rate limits of one person's posts (product rules, 4.9), counted from stored rows. An admin may lift them.

const { reply: REPLY, discussion: DISCUSSION, reactions: REACTIONS, edits: EDITS } = SERVER_LIMITS.pace;

/** Serializes the writes of one person, so that two concurrent posts are both counted. */
export const lockWriter = (tx: Tx, me: SignedIn) => run(tx, writerLockSql(me));
/** The writer lock as a statement for a pipeline. The counts must be read after it. */
export const writerLockSql = (me: SignedIn) =>
  sql`select pg_advisory_xact_lock(hashtextextended('pace:' || ${me.id}::text, 0))`;

/** Earlier posts of a person, as far as the limits need them. */
export type WritingActivity = {
  hold: boolean;
  lastAt: Date | null;
  today: number;
  here: number;
  inARow: boolean;
  since: Date;
};

/**
 * Asserts that another post fits.
 * @throws `conflict` when a discussion has the maximum number of posts
 */
export function assertNotFull({ lastNumber }: Pick<ReplyTarget, "lastNumber">): void {
  if (lastNumber >= SERVER_LIMITS.postsInDiscussion)
    throw new Refusal("conflict", "This discussion is full. Start a new one, and link to it from there.");
}

/**
 * Asserts the limits of a reply: slow mode, interval and a newcomer's first day. Moderators are exempt, and
 * bots from all but slow mode.
 * `written` is the result of `writingActivity`.
 * @throws `too-many` with the seconds to wait, `conflict` after three replies in a row
 */
export async function assertReplyLimit(
  tx: Tx,
  me: SignedIn,
  discussion: ReplyTarget,
  written: WritingActivity,
): Promise<void> {
  if (discussionRules.moderate(me, discussion) || isStaff(me)) return;
  await assertSlowMode(tx, me, discussion);
  if (!written.hold || me.isBot) return;
  if (written.inARow)
    throw new Refusal(
      "conflict",
      "You wrote the last three replies. Edit your last reply, or wait for an answer.",
    );
  const isNew = me.trust === "new";
  assertInterval(tx.now, written.lastAt, isNew ? REPLY.newSeconds : REPLY.seconds);
  if (!isNew) return;
  if (written.here >= REPLY.newInDiscussion)
    throw new Refusal(
      "too-many",
      "New members can reply three times in a discussion. This limit ends automatically.",
    );
  if (addMilliseconds(written.since, DAY) > tx.now && written.today >= REPLY.newFirstDay)
    throw new Refusal(
      "too-many",
      "New members can write ten replies on their first day. Come back tomorrow.",
    );
}

/**
 * SQL: earlier posts of the person. It must run under `writerLockSql`, so that two concurrent posts are both
 * counted. The total is counted for newcomers only: for long-time members it is large, and no limit uses it.
 */
export const writingActivity = (tx: Tx, me: SignedIn, discussionId: string) => {
  const mine = sql`from posts where author_id = ${me.id} and discussion_id is not null and number > 1
    and state <> 'moved'`;
  const ofNewcomer = sql`
      (select count(*)::int from (select ${mine}
        and created_at > ${addMilliseconds(tx.now, -DAY)} ${limit(REPLY.newFirstDay)}) few) as today,
      (select count(*)::int from (select ${mine}
        and discussion_id = ${discussionId} ${limit(REPLY.newInDiscussion)}) few) as here,
      (select created_at from people where id = ${me.id}) as since`;
  return sql<WritingActivity>`
    select ${hold} as hold, (select created_at ${mine} order by created_at desc limit 1) as "lastAt",
      (select count(*) = ${REPLY.inARow}
      from (select author_id, number, created_at from posts where discussion_id = ${discussionId}
        order by number desc ${limit(REPLY.inARow)}) last
          where author_id = ${me.id} and number > 1
            and created_at > ${addMilliseconds(tx.now, -DAY)}) as "inARow",
      ${me.trust === "new" ? ofNewcomer : sql`0 as today, 0 as here, to_timestamp(0) as since`}`;
};

/** Asserts the interval between two comments, longer for newcomers. */
export async function assertCommentLimit(tx: Tx, me: SignedIn, { can }: PostContainer): Promise<void> {
  if (can.moderate || isStaff(me)) return;
  await lockWriter(tx, me);
  const last = await one(
    tx,
    sql<{ hold: boolean; at: Date | null }>`
      select ${hold} as hold, (select created_at from posts
        where author_id = ${me.id} and resource_id is not null order by created_at desc limit 1) as at`,
  );
  if (last.hold) assertInterval(tx.now, last.at, me.trust === "new" ? REPLY.newSeconds : REPLY.seconds);
}

/**
 * Asserts the limits of new discussions: twenty a day, three on a newcomer's first day, and an interval. Staff
 * and bots are exempt; incoming webhooks have a limit of their own.
 */
export async function assertDiscussionLimit(tx: Tx, me: SignedIn): Promise<void> {
  if (isStaff(me) || me.isBot) return;
  await lockWriter(tx, me);
  const written = await one(
    tx,
    sql<Pick<WritingActivity, "hold" | "lastAt" | "today" | "since">>`
      select ${hold} as hold, max(created_at) as "lastAt", count(*)::int as today, (select created_at
        from people where id = ${me.id}) as since
      from (select created_at from discussions
        where author_id = ${me.id} and created_at > ${addMilliseconds(tx.now, -DAY)}
          order by created_at desc ${limit(DISCUSSION.day)}) few`,
  );
  if (!written.hold) return;
  const isNew = me.trust === "new";
  assertInterval(tx.now, written.lastAt, isNew ? DISCUSSION.newSeconds : DISCUSSION.seconds);
  if (isNew && addMilliseconds(written.since, DAY) > tx.now && written.today >= DISCUSSION.newFirstDay)
    throw new Refusal(
      "too-many",
      "New members can start three discussions on their first day. Come back tomorrow.",
    );
  if (written.today >= DISCUSSION.day)
    throw new Refusal("too-many", "You have reached the limit of 20 discussions a day. Come back tomorrow.");
}

/**
 * SQL: number of the person's reactions in the last day, before this statement; removed reactions do not
 * count.
 */
export const recentReactionCount = (tx: Tx, me: SignedIn) =>
  todayCount(
    sql`from reactions where person_id = ${me.id} and created_at > ${addMilliseconds(tx.now, -DAY)}`,
    REACTIONS.day,
  );

/**
 * Refuses the fifty-first reaction in a day. Staff are exempt.
 * @throws `too-many`
 */
export function assertReactionLimit(me: SignedIn, before: number): void {
  if (!isStaff(me) && before >= REACTIONS.day)
    throw new Refusal("too-many", "You have reached the limit of 50 reactions a day. Come back tomorrow.");
}

/** Asserts the limit of thirty edits a day; unmarked edits count too. Moderators are exempt. */
export async function assertEditLimit(tx: Tx, me: SignedIn, { can }: PostContainer): Promise<void> {
  if (!can.moderate) await assertDailyEditLimit(tx, me);
}

/**
 * Asserts the limit of an author's changes to their own discussions. Changes of title, tags and answer count
 * together.
 */
export async function assertOwnDiscussionEditLimit(
  tx: Tx,
  me: SignedIn,
  discussion: DiscussionFacts,
): Promise<void> {
  if (!discussionRules.lead(me, discussion)) await assertDailyEditLimit(tx, me);
}

async function assertDailyEditLimit(tx: Tx, me: SignedIn): Promise<void> {
  if (isStaff(me)) return;
  await lockWriter(tx, me);
  const aDayAgo = addMilliseconds(tx.now, -DAY);
  // Unmarked edits store no revision: they are the versions of today's posts that have no revision.
  const made = sql`
    from (
      select from post_revisions where replaced_by = ${me.id} and replaced_at > ${aDayAgo}
      union all
      select from posts p cross
      join generate_series(2, p.version - (select count(*)::int from post_revisions r where r.post_id = p.id))
      where p.author_id = ${me.id} and p.created_at > ${aDayAgo} and p.version > 1
      union all
      select from discussion_entries
        where by_id = ${me.id} and at > ${aDayAgo}
          and kind in ('renamed', 'tagged', 'language-changed', 'resolved', 'reopened')) changes`;
  if ((await countToday(tx, made, EDITS.day)) >= EDITS.day)
    throw new Refusal("too-many", "You have reached the limit of 30 edits a day. Come back tomorrow.");
}

/** SQL: the number of rows `from` today, up to `most`; 0 if an admin has lifted the limits. */
const todayCount = (from: ReturnType<typeof sql>, most: number) => sql<number>`
  case when ${hold} then (select count(*)::int from (select ${from} ${limit(most)}) few) else 0 end`;

const countToday = async (tx: Tx, from: ReturnType<typeof sql>, most: number): Promise<number> =>
  (await one(tx, sql<{ count: number }>`select ${todayCount(from, most)} as count`)).count;

type ContentCounts = { linksOut: number; quotedLinks: string[]; pictures: string[] };

/**
 * Asserts the content limits: two external links for newcomers, and the number of pictures. A quoted link
 * does not count if someone else has posted it in `at`; quotation marks alone do not exempt a link.
 * @throws `invalid` on `body`
 */
export async function assertContentLimits(
  tx: Tx,
  me: SignedIn,
  { linksOut, quotedLinks, pictures }: ContentCounts,
  at?: PostContainer["at"],
): Promise<void> {
  assertPictureLimit(me, pictures.length);
  const most = discussionRules.mostLinks(me);
  if (linksOut <= most) return;
  const others =
    at && linksOut - quotedLinks.length <= most ? await countLinksOfOthers(tx, me, quotedLinks, at) : 0;
  if (linksOut - others > most)
    throw invalid("body", "New members can use two links per post. Remove some and send it again.");
}

/** Number of these links that other people have posted in the container. */
async function countLinksOfOthers(
  tx: Tx,
  me: SignedIn,
  links: string[],
  at: PostContainer["at"],
): Promise<number> {
  const written = links.map((link) => `href="${link.replaceAll("&", "&amp;").replaceAll('"', "&quot;")}"`);
  const there =
    "discussionId" in at ? sql`discussion_id = ${at.discussionId}` : sql`resource_id = ${at.resourceId}`;
  const { count } = await one(
    tx,
    sql<{ count: number }>`
      select count(*)::int as count from unnest(${written}::text[]) link
      where exists (select from posts where ${there} and author_id <> ${me.id} and state = 'published'
        and strpos(body_html, link) > 0)`,
  );
  return count;
}

function assertInterval(now: Date, lastAt: Date | null, seconds: number) {
  const left =
    lastAt === null ? 0 : Math.ceil((lastAt.getTime() + seconds * SECOND - now.getTime()) / SECOND);
  if (left > 0)
    throw new Refusal("too-many", "You are sending too fast. Wait a few seconds and send it again.", {
      retryAfter: left,
    });
}

async function assertSlowMode(tx: Tx, me: SignedIn, discussion: ReplyTarget): Promise<void> {
  const { slowSeconds } = discussion;
  if (slowSeconds === 0) return;
  const last = await maybeOne(
    tx,
    sql<{ at: Date }>`
      select created_at as at from posts
      where author_id = ${me.id} and created_at > ${addMilliseconds(tx.now, -slowSeconds * SECOND)}
        and discussion_id = ${discussion.id} and number > 1 and state <> 'moved'
      order by created_at desc limit 1`,
  );
  if (!last) return;
  const left = Math.ceil((last.at.getTime() + slowSeconds * SECOND - tx.now.getTime()) / SECOND);
  throw tooManyRequests(Math.max(1, left), msg("Slow mode is on: let others reply first."));
}
