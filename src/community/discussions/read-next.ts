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
/**
 * Latest discussions examined for each source; more for the last, since the viewer may not read all of them.
 */
const LOOKED_AT = 100;
const LOOKED_AT_OF_ALL = 1000;

/**
 * Suggestions at the end of a discussion, at most five: followed unread ones of 90 days, then the same group,
 * then others of the last year. Muted authors appear only in followed ones. Periods count back from `now`.
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

/** Starts from followed discussions, which are fewer. */
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

/** As an `in` list evaluated once: with a join, PostgreSQL would scan every discussion of such groups. */
const inReadableGroup = (viewer: Viewer) =>
  sql`(d.group_id in (select g.id from groups g ${viewersTie(viewer)} where ${groupReadable})) is true`;

const openBeside = (from: Discussion, since: Date) => sql`d.id <> ${from.id} and d.state = 'open' and d.last_post_at > ${since}`;
const unmuted = (viewer: Viewer) => sql`d.author_id <> all(${mutedOf(viewer)})`;

/** Evaluated once: later sources are skipped when enough was found. */
const tooFew = (...found: string[]) =>
  sql`(select count(distinct id) from (${sql.join(
    found.map((it) => sql`select id from ${sql.ref(it)}`),
    sql` union all `,
  )}) so_far) < ${MOST}`;

/**
 * The latest readable ones. The candidates are ordered, so that PostgreSQL stops early: its own estimate is
 * that few are readable, and it would read all.
 */
const latestReadable = (viewer: Viewer, candidates: Sql, more: { joins: Sql; where: Sql }) => sql`
  select d.id, d.last_post_at from (${candidates}) d join groups g on g.id = d.group_id ${viewersTie(viewer)} ${more.joins}
  where ${more.where} and d.author_id <> all(${blockersOf(viewer)}) and d.author_id <> all(${blockedOf(viewer)}) and ${discussionReadable}
  order by d.last_post_at desc, d.id desc ${limit(MOST)}`;
