import { DAY, later } from "#platform/clock";
import { type Db, limit, sql } from "#platform/database";
import { blockedOf, blockersOf, mutedOf } from "#community/friends";
import { discussionReadable, groupReadable, somethingNew, viewersReading, viewersTie } from "#community/groups";
import type { Viewer } from "#community/rules";
import type { Discussion } from "./discussion.ts";
import { type DiscussionRow, rowsOf } from "./rows.ts";

const MOST = 5;
const FOLLOWED = 90 * DAY;
const RECENT = 365 * DAY;
/** So many of the latest are looked at for each; of all discussions more, since of a group's not all may be theirs to read. */
const LOOKED_AT = 100;
const LOOKED_AT_OF_ALL = 1000;

/**
 * Where to go from the end of a discussion, five at most: what the viewer follows and has not read, of the last 90 days;
 * then the latest of the same group; then others of the last year. Of whom they have muted nothing is suggested that they do not
 * follow. `now` says what those days count from.
 */
export async function readNext(db: Db, viewer: Viewer, from: Discussion, now: Date): Promise<DiscussionRow[]> {
  return rowsOf<{ rank: number }>(
    db,
    viewer,
    sql`select d.*, n.rank from (
          with followed as materialized (${followedBy(viewer, from, now)}),
          neighbours as materialized (${neighboursOf(viewer, from, now)}),
          others as materialized (${others(viewer, from, now)})
          select id, min(rank) as rank from (
            select id, last_post_at, 1 as rank from followed union all
            select id, last_post_at, 2 from neighbours union all
            select id, last_post_at, 3 from others) found
          group by id order by min(rank), max(last_post_at) desc, id desc ${limit(MOST)}) n
        join discussions d on d.id = n.id`,
    sql`d.rank, d.last_post_at desc, d.id desc`,
    { columns: sql`, d.rank`, joins: sql`` },
  );
}

type Sql = ReturnType<typeof sql>;

/** Found by what they follow, which is less than what there is. */
const followedBy = (viewer: Viewer, from: Discussion, now: Date) =>
  latestReadable(
    viewer,
    sql`select d.* from read_states rs join discussions d on d.id = rs.discussion_id
        where rs.person_id = ${viewer.id}::uuid and rs.level in ('watching', 'tracking') and ${somethingNew}
          and ${openBeside(from, later(now, -FOLLOWED))} order by d.last_post_at desc, d.id desc ${limit(LOOKED_AT)}`,
    { joins: sql``, where: sql`true` },
  );

const neighboursOf = (viewer: Viewer, from: Discussion, now: Date) =>
  latestReadable(
    viewer,
    sql`select d.* from discussions d where d.group_id = ${from.group.id} and ${openBeside(from, later(now, -RECENT))}
          and ${tooFew("followed")} order by d.last_post_at desc, d.id desc ${limit(LOOKED_AT)}`,
    { joins: sql``, where: unmuted(viewer) },
  );

const others = (viewer: Viewer, from: Discussion, now: Date) =>
  latestReadable(
    viewer,
    sql`select d.* from discussions d where ${openBeside(from, later(now, -RECENT))}
          and ${inReadableGroup(viewer)} and ${tooFew("followed", "neighbours")} order by d.last_post_at desc, d.id desc ${limit(LOOKED_AT_OF_ALL)}`,
    { joins: viewersReading(viewer), where: sql`coalesce(rs.level, 'normal') <> 'muted' and ${unmuted(viewer)}` },
  );

/** As a list that is made once: joined, PostgreSQL would go through every discussion of every such group. */
const inReadableGroup = (viewer: Viewer) =>
  sql`(d.group_id in (select g.id from groups g ${viewersTie(viewer)} where ${groupReadable})) is true`;

const openBeside = (from: Discussion, since: Date) => sql`d.id <> ${from.id} and d.state = 'open' and d.last_post_at > ${since}`;
const unmuted = (viewer: Viewer) => sql`d.author_id <> all(${mutedOf(viewer)})`;

/** Asked once: where enough has been found, the next are not looked for. */
const tooFew = (...found: string[]) =>
  sql`(select count(distinct id) from (${sql.join(
    found.map((it) => sql`select id from ${sql.ref(it)}`),
    sql` union all `,
  )}) so_far) < ${MOST}`;

/**
 * The latest of these that the viewer reads. They come in their order, so that PostgreSQL looks no further than it has to: left to itself it
 * takes few to be readable, and looks at them all.
 */
const latestReadable = (viewer: Viewer, candidates: Sql, more: { joins: Sql; where: Sql }) => sql`
  select d.id, d.last_post_at from (${candidates}) d join groups g on g.id = d.group_id ${viewersTie(viewer)} ${more.joins}
  where ${more.where} and d.author_id <> all(${blockersOf(viewer)}) and d.author_id <> all(${blockedOf(viewer)}) and ${discussionReadable}
  order by d.last_post_at desc, d.id desc ${limit(MOST)}`;
