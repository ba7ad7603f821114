import { MINUTE, SECOND } from "#platform/clock";
import { maybeOne, one, run, sql, type Tx } from "#platform/database";
import { isId } from "#platform/ids";
import { emit, emitInStatement, publishAfterCommit } from "#platform/outbox";
import { notFound } from "#platform/refusal";
import { requireSignedIn } from "#community/friends";
import { viewerReadPositions, viewerMembership } from "#community/groups";
import { markEstablished } from "#community/accounts";
import type { SignedIn, Viewer } from "#community/rules";
import { getDiscussion } from "../discussion.ts";
import { isDiscussionVisible, type FollowLevel } from "../discussion-columns.ts";

/**
 * Read position of a person who has read up to `number`. Stubs of moved posts are skipped, so that the next
 * post is readable.
 */
export const readPositionAfterMove = (number: ReturnType<typeof sql>, discussion: string) => {
  const d = sql.ref(discussion);
  return sql<number>`
  coalesce((select min(next.number) - 1 from posts next
    where next.discussion_id = ${d}.id and next.number > ${number} and next.state <> 'moved'),
      ${d}.last_number)`;
};

/** Maximum reading time that one report adds. For the first report it is lower. */
const REPORT_INTERVAL = MINUTE;
const FIRST_REPORT_INTERVAL = 15 * SECOND;
/** Reading time after which a discussion is followed, unless a level was chosen. */
const FOLLOW_READING_TIME = 5 * MINUTE;

type ReadReport = { discussionId: string; upTo: number; ms?: number | undefined };

/**
 * Stores the read position, which never moves back, and the reading time (`ms`, at most the time since the
 * last report). After five minutes the viewer follows the discussion; enough reading marks the account as
 * established.
 * @throws `not-found` for a discussion the viewer may not read
 */
export async function markRead(tx: Tx, viewer: Viewer, input: ReadReport): Promise<void> {
  const me = requireSignedIn(viewer);
  if (!isId(input.discussionId)) throw notFound();
  const ms = Math.min(REPORT_INTERVAL, toPostNumber(input.ms ?? 0));
  const domainEvent = { type: "discussion.read", discussionId: input.discussionId, by: me.id };
  const row = await maybeOne(
    tx,
    sql<{ told: string | null }>`
      with place as (
        select d.id, ${readPositionAfterMove(
          sql`least(d.last_number,
          ${toPostNumber(input.upTo)}::int)`,
          "d",
        )} as number, coalesce(rs.last_read_number, 0) as before
        from discussions d join groups g
          on g.id = d.group_id ${viewerMembership(me, "g", "m")} ${viewerReadPositions(me, "d", "rs")}
        where d.id = ${input.discussionId} and ${isDiscussionVisible(me, "d", "g", "m")}),
      kept as (
        insert into read_positions as r (person_id, discussion_id, last_read_number, read_at, read_ms)
        select ${me.id}, id, number, ${tx.now}, ${Math.min(ms, FIRST_REPORT_INTERVAL)}::int from place
        on conflict (person_id, discussion_id) do update set read_at = excluded.read_at,
          last_read_number = greatest(r.last_read_number, excluded.last_read_number),
          read_ms = least(2000000000, r.read_ms::bigint + ${creditedReadingTime(tx.now, ms)}),
          level = case when r.level = 'normal' and not r.level_chosen
            and r.read_ms + ${creditedReadingTime(tx.now, ms)} >= ${FOLLOW_READING_TIME} then 'tracking'
            else r.level end
        where ${ms} > 0 or r.last_read_number < excluded.last_read_number
        returning 1),
      moved as (select from place where number > before),
      told as (${emitInStatement(tx, domainEvent, "moved")})
      select (select id from told) as told from place`,
  );
  if (!row) throw notFound();
  if (row.told) publishAfterCommit(tx, domainEvent, row.told);
  if (me.trust === "new" && ms > 0 && (await hasReadEnough(tx, me))) await markEstablished(tx, me.id);
}

const creditedReadingTime = (now: Date, ms: number) =>
  sql`least(${ms}::int, greatest(0, (extract(epoch from ${now}::timestamptz - r.read_at) * 1000)::bigint))`;

/**
 * Reading that marks an account as established: five discussions, thirty posts and ten minutes, computed
 * from stored rows (product rules, 4.6).
 */
const TRUST_REQUIREMENTS = { discussions: 5, posts: 30, ms: 10 * MINUTE };
/**
 * Only position and time are stored, not which posts were seen. Opening the last of hundreds of posts does
 * not count as reading all: a discussion counts as many posts as its reading time allows.
 */
const READING_TIME_PER_POST = 5 * SECOND;

async function hasReadEnough(tx: Tx, me: SignedIn): Promise<boolean> {
  const { enough } = await one(
    tx,
    sql<{ enough: boolean }>`
      select count(*) >= ${TRUST_REQUIREMENTS.discussions}
        and coalesce(sum(least(last_read_number, read_ms / ${READING_TIME_PER_POST}::int)),
          0) >= ${TRUST_REQUIREMENTS.posts}
        and coalesce(sum(read_ms), 0) >= ${TRUST_REQUIREMENTS.ms} as enough
      from read_positions where person_id = ${me.id} and last_read_number > 0`,
  );
  return enough;
}

const toPostNumber = (number: number) => Math.min(2 ** 31 - 1, Math.max(0, Math.trunc(number) || 0));

/** Marks a post and all later posts as unread. */
export async function markUnread(
  tx: Tx,
  viewer: Viewer,
  input: { discussionId: string; from: number },
): Promise<void> {
  const me = requireSignedIn(viewer);
  const discussion = await getDiscussion(tx, me, input.discussionId);
  await saveReadState(
    tx,
    me,
    discussion.id,
    sql`last_read_number = ${Math.min(discussion.lastNumber, Math.max(0, toPostNumber(input.from) - 1))}`,
  );
  await emit(tx, { type: "discussion.read", discussionId: discussion.id, by: me.id });
}

export async function setFollowLevel(
  tx: Tx,
  viewer: Viewer,
  input: { discussionId: string; level: FollowLevel },
): Promise<void> {
  const me = requireSignedIn(viewer);
  const discussion = await getDiscussion(tx, me, input.discussionId);
  await saveReadState(tx, me, discussion.id, sql`level = ${input.level}, level_chosen = true`);
  await emit(tx, { type: "discussion.followed", discussionId: discussion.id, by: me.id });
}

async function saveReadState(tx: Tx, me: SignedIn, discussionId: string, change: ReturnType<typeof sql>) {
  await run(
    tx,
    sql`insert into read_positions (person_id, discussion_id, read_at)
      values (${me.id}, ${discussionId}, ${tx.now}) on conflict do nothing`,
  );
  await run(
    tx,
    sql`update read_positions set ${change} where person_id = ${me.id} and discussion_id = ${discussionId}`,
  );
}
