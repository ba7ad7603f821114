import { DAY, later } from "#platform/clock";
import { type Db, limit, sql } from "#platform/database";
import { blockedOf, blockersOf, mutedOf } from "#community/friends";
import { discussionReadable, somethingNew, viewersReading, viewersTie } from "#community/groups";
import { isSignedIn, type Viewer } from "#community/rules";
import type { Discussion } from "./discussion.ts";
import { type DiscussionRow, rowsOf } from "./rows.ts";

const MOST = 5;
const FOLLOWED = 90 * DAY;
const RECENT = 365 * DAY;

/**
 * Where to go from the end of a discussion, five at most: what the viewer follows and has not read, of the last 90 days;
 * then the latest of the same group; then others of the last year. Of whom they have muted nothing is suggested that they do not
 * follow. `now` says what those days count from.
 */
export async function readNext(db: Db, viewer: Viewer, from: Discussion, now: Date): Promise<DiscussionRow[]> {
  const readable = sql`d.id <> ${from.id} and d.state = 'open' and d.author_id <> all(${blockersOf(viewer)}) and d.author_id <> all(${blockedOf(viewer)}) and ${discussionReadable}`;
  const unmuted = sql`d.author_id <> all(${mutedOf(viewer)})`;
  const tier = (rank: number, where: ReturnType<typeof sql>, since: Date, reading = viewersReading(viewer)) => sql`
    (select d.id, ${rank}::int as rank, d.last_post_at from discussions d join groups g on g.id = d.group_id ${viewersTie(viewer)} ${reading}
     where ${where} and d.last_post_at > ${since} and ${readable} order by d.last_post_at desc, d.id desc ${limit(MOST + 1)})`;
  // Found by what they follow, which is less than what there is.
  const following = sql`join read_states rs on rs.discussion_id = d.id and rs.person_id = ${viewer.id}::uuid`;
  const followed = isSignedIn(viewer)
    ? sql`${tier(1, sql`rs.level in ('watching', 'tracking') and ${somethingNew}`, later(now, -FOLLOWED), following)} union all`
    : sql``;
  return rowsOf<{ rank: number }>(
    db,
    viewer,
    sql`select d.*, n.rank from (
          select id, min(rank) as rank from (
            ${followed}
            ${tier(2, sql`d.group_id = ${from.group.id} and ${unmuted}`, later(now, -RECENT))} union all
            ${tier(3, sql`coalesce(rs.level, 'normal') <> 'muted' and ${unmuted}`, later(now, -RECENT))}) tiers
          group by id order by min(rank), max(last_post_at) desc, id desc ${limit(MOST)}) n
        join discussions d on d.id = n.id`,
    sql`d.rank, d.last_post_at desc, d.id desc`,
    { columns: sql`, d.rank`, joins: sql`` },
  );
}
