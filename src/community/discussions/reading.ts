import { MINUTE, SECOND } from "#platform/clock";
import { maybeOne, one, run, sql, type Tx } from "#platform/database";
import { isId } from "#platform/ids";
import { announce } from "#platform/outbox";
import { notFound } from "#platform/refusal";
import { signedIn } from "#community/friends";
import { discussionReadable, groupModerated, viewersReading, viewersTie } from "#community/groups";
import { establish } from "#community/people";
import type { SignedIn, Viewer } from "#community/rules";
import { discussionFor } from "./discussion.ts";
import { type FollowLevel, readPast } from "./rows.ts";

/** Maximum reading time credited per report, less for the first. */
const REPORT = MINUTE;
const FIRST_REPORT = 15 * SECOND;
/** Reading time after which a discussion is followed, unless a level was chosen. */
const FOLLOWS_AFTER = 5 * MINUTE;

type Read = { discussionId: string; upTo: number; ms?: number | undefined };

/**
 * Stores the read position, which never moves back, and the reading time (`ms`, at most the time since the
 * last report). Five minutes follow the discussion; enough reading establishes the account.
 * @throws `not-found` for a discussion the viewer may not read
 */
export async function markRead(tx: Tx, viewer: Viewer, input: Read): Promise<void> {
  const me = signedIn(viewer);
  if (!isId(input.discussionId)) throw notFound();
  const ms = Math.min(REPORT, whole(input.ms ?? 0));
  const row = await maybeOne(
    tx,
    sql<{ moved: boolean }>`
      with place as (
        select d.id, ${readPast(sql`least(d.last_number, ${whole(input.upTo)}::int)`)} as number, coalesce(rs.last_read_number, 0) as before
        from discussions d join groups g on g.id = d.group_id ${viewersTie(me)} ${viewersReading(me)}
        where d.id = ${input.discussionId} and ${discussionReadable} and (d.state <> 'deleted' or ${groupModerated(me)})),
      kept as (
        insert into read_states as r (person_id, discussion_id, last_read_number, read_at, read_ms)
        select ${me.id}, id, number, ${tx.now}, ${Math.min(ms, FIRST_REPORT)}::int from place
        on conflict (person_id, discussion_id) do update set read_at = excluded.read_at,
          last_read_number = greatest(r.last_read_number, excluded.last_read_number),
          read_ms = least(2000000000, r.read_ms::bigint + ${counted(tx.now, ms)}),
          level = case when r.level = 'normal' and not r.level_chosen and r.read_ms + ${counted(tx.now, ms)} >= ${FOLLOWS_AFTER} then 'tracking' else r.level end
        where ${ms} > 0 or r.last_read_number < excluded.last_read_number
        returning 1)
      select number > before as moved from place`,
  );
  if (!row) throw notFound();
  if (row.moved) await announce(tx, { type: "discussion.read", discussionId: input.discussionId, by: me.id });
  if (me.trust === "new" && ms > 0 && (await hasReadEnough(tx, me))) await establish(tx, me.id);
}

const counted = (now: Date, ms: number) =>
  sql`least(${ms}::int, greatest(0, (extract(epoch from ${now}::timestamptz - r.read_at) * 1000)::bigint))`;

/**
 * Five discussions, thirty posts and ten minutes of reading, computed from stored rows (product rules, 4.6).
 */
const ENOUGH = { discussions: 5, posts: 30, ms: 10 * MINUTE };
/**
 * Only position and time are stored, not which posts were seen. Opening the last of hundreds does not read
 * them: each discussion credits as many posts as its time suffices for.
 */
const A_POST_TAKES = 5 * SECOND;

async function hasReadEnough(tx: Tx, me: SignedIn): Promise<boolean> {
  const { enough } = await one(
    tx,
    sql<{ enough: boolean }>`
      select count(*) >= ${ENOUGH.discussions} and coalesce(sum(least(last_read_number, read_ms / ${A_POST_TAKES}::int)), 0) >= ${ENOUGH.posts}
        and coalesce(sum(read_ms), 0) >= ${ENOUGH.ms} as enough
      from read_states where person_id = ${me.id} and last_read_number > 0`,
  );
  return enough;
}

const whole = (number: number) => Math.min(2 ** 31 - 1, Math.max(0, Math.trunc(number) || 0));

/** Marks a post and all later ones as unread. */
export async function markUnread(tx: Tx, viewer: Viewer, input: { discussionId: string; from: number }): Promise<void> {
  const me = signedIn(viewer);
  const discussion = await discussionFor(tx, me, input.discussionId);
  await remember(tx, me, discussion.id, sql`last_read_number = ${Math.min(discussion.lastNumber, Math.max(0, whole(input.from) - 1))}`);
  await announce(tx, { type: "discussion.read", discussionId: discussion.id, by: me.id });
}

export async function setFollowLevel(tx: Tx, viewer: Viewer, input: { discussionId: string; level: FollowLevel }): Promise<void> {
  const me = signedIn(viewer);
  const discussion = await discussionFor(tx, me, input.discussionId);
  await remember(tx, me, discussion.id, sql`level = ${input.level}, level_chosen = true`);
  await announce(tx, { type: "discussion.followed", discussionId: discussion.id, by: me.id });
}

async function remember(tx: Tx, me: SignedIn, discussionId: string, change: ReturnType<typeof sql>) {
  await run(
    tx,
    sql`insert into read_states (person_id, discussion_id, read_at) values (${me.id}, ${discussionId}, ${tx.now}) on conflict do nothing`,
  );
  await run(tx, sql`update read_states set ${change} where person_id = ${me.id} and discussion_id = ${discussionId}`);
}
