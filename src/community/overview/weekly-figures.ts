import { DAY, addMilliseconds } from "#platform/clock";
import { type Db, limit, many, sql } from "#platform/database";

/** Figures of seven days. */
export type WeekFigures = {
  /** End of the seven days. */
  until: Date;
  signUps: number;
  /** People who wrote a post or a comment. */
  writers: number;
  posts: number;
  /** Median minutes until the first reply by another person, of discussions begun in this week. */
  firstAnswer: number | null;
  /** Size of all uploaded files at the end of the week. */
  storedBytes: number;
};

/** Number of weeks: two periods of four weeks to compare, and the four weeks before them. */
export const WEEKS = 12;
const MAX_DISCUSSIONS = 5_000;

/**
 * Figures of the last twelve weeks, oldest first. Weeks end at `now`, so that the latest one is as long as
 * the others.
 */
export async function loadWeeklyFigures(db: Db, now: Date): Promise<WeekFigures[]> {
  const begin = addMilliseconds(now, -WEEKS * 7 * DAY);
  // Number of a row's week, 0 for the oldest.
  const week = (column: string) =>
    sql<number>`floor(extract(epoch from ${sql.ref(column)} - ${begin}::timestamptz) / 604800)::int`;
  const rows = await many(
    db,
    sql<Omit<WeekFigures, "until">>`
      with sign_ups as (
        select ${week("created_at")} as week, count(*)::int as count from people
        where created_at >= ${begin} and created_at < ${now} and state in ('active', 'limited', 'suspended')
        group by 1),
      written as (
        select ${week("created_at")} as week, count(*)::int as posts,
          count(distinct author_id)::int as writers
        from posts where created_at >= ${begin} and created_at < ${now} and state = 'published'
        group by 1),
      begun as (
        select d.id, d.author_id, d.created_at from discussions d
        where d.state = 'open' and d.last_post_at >= ${begin} and d.created_at >= ${begin}
          and d.created_at < ${now}
        order by d.last_post_at desc, d.id desc ${limit(MAX_DISCUSSIONS)}),
      answered as (
        select ${week("begun.created_at")} as week,
          round(percentile_cont(0.5) within group (
            order by extract(epoch from answer.created_at - begun.created_at) / 60))::int as minutes
        from begun join lateral (
          select p.created_at from posts p
          where p.discussion_id = begun.id and p.number > 1 and p.author_id is distinct from begun.author_id
          order by p.number limit 1) answer on true
        group by 1),
      stored as (
        select greatest(${week("created_at")}, 0) as week, sum(size) as bytes from uploads
        where created_at < ${now} group by 1)
      select coalesce(sign_ups.count, 0) as "signUps", coalesce(written.writers, 0) as writers,
        coalesce(written.posts, 0) as posts, answered.minutes as "firstAnswer",
        coalesce(sum(stored.bytes) over (order by weeks.week), 0)::float8 as "storedBytes"
      from generate_series(0, ${WEEKS - 1}::int) weeks (week)
      left join sign_ups using (week) left join written using (week)
      left join answered using (week) left join stored using (week)
      order by weeks.week`,
  );
  return rows.map((row, i) => ({ ...row, until: addMilliseconds(begin, (i + 1) * 7 * DAY) }));
}
