import { DAY, addMilliseconds } from "#platform/clock";
import { type Db, limit, one, sql } from "#platform/database";
import { BOUNCE_LIMIT } from "#platform/mail";
import { Refusal } from "#platform/refusal";
import { accountRules, type Viewer } from "#community/rules";

export type Overview = {
  people: { members: number; newThisWeek: number; today: number; thisWeek: number; thisMonth: number };
  /** Statistics of the latest thousand discussions of the last 30 days. */
  talk: {
    discussions: number;
    unanswered: number;
    /** Median minutes until the first reply by another person; null if no discussion has a reply. */
    firstAnswer: number | null;
  };
  /** Pending tasks and failures. */
  work: {
    accounts: number;
    reports: number;
    firstPosts: number;
    groups: number;
    /** Undeliverable mails of 14 days, and addresses disabled after repeated bounces. */
    mailsGivenUp: number;
    addressesShut: number;
    /** Failed jobs and domain-event handlers; `stuck` are those that are retried only manually. */
    jobs: number;
    failed: number;
    stuck: number;
    databaseBytes: number;
  };
};

const MAX_DISCUSSIONS = 1_000;

/**
 * Data of the admin overview, in three queries over recent or pending rows; only people are scanned fully.
 * @throws `not-allowed` for everyone but admins
 */
export async function getOverview(db: Db, viewer: Viewer, now: Date): Promise<Overview> {
  if (!accountRules.run(viewer)) throw new Refusal("not-allowed", "Only admins can see the overview.");
  return {
    people: await loadPeopleFigures(db, now),
    talk: await loadDiscussionFigures(db, now),
    work: await loadTaskFigures(db, now),
  };
}

const daysBefore = (now: Date, days: number) => addMilliseconds(now, -days * DAY);

const loadPeopleFigures = (db: Db, now: Date) =>
  one(
    db,
    sql<Overview["people"]>`
      select count(*)::int as members,
        count(*) filter (where created_at > ${daysBefore(now, 7)})::int as "newThisWeek",
        count(*) filter (where seen_at > ${daysBefore(now, 1)})::int as today,
        count(*) filter (where seen_at > ${daysBefore(now, 7)})::int as "thisWeek",
        count(*) filter (where seen_at > ${daysBefore(now, 30)})::int as "thisMonth"
      from people where state in ('active', 'limited', 'suspended')`,
  );

const loadDiscussionFigures = (db: Db, now: Date) =>
  one(
    db,
    sql<Overview["talk"]>`
      with lately as (
        select d.id, d.author_id, d.created_at, d.posts_count from discussions d
        where d.state = 'open' and d.last_post_at > ${daysBefore(now, 30)}
          and d.created_at > ${daysBefore(now, 30)}
        order by d.last_post_at desc, d.id desc ${limit(MAX_DISCUSSIONS)}),
      answered as (
        select extract(epoch from answer.created_at - lately.created_at) / 60 as minutes from lately
        join lateral (
          select p.created_at from posts p
          where p.discussion_id = lately.id and p.number > 1 and p.author_id is distinct from lately.author_id
          order by p.number limit 1) answer on true)
      select count(*)::int as discussions, count(*) filter (where posts_count = 1)::int as unanswered,
        (select round(percentile_cont(0.5) within group (order by minutes))::int
          from answered) as "firstAnswer"
      from lately`,
  );

const loadTaskFigures = (db: Db, now: Date) =>
  one(
    db,
    sql<Overview["work"]>`
      select (select count(*)::int from people where state = 'pending_approval') as accounts,
        (select count(distinct coalesce(about_id, id))::int from reports
          where resolved_at is null) as reports,
        (select count(*)::int from pending_posts where returned_at is null) as "firstPosts",
        (select count(*)::int from groups where state = 'pending') as groups,
        (select count(*)::int from mails
          where created_at > ${daysBefore(now, 14)} and given_up_at is not null) as "mailsGivenUp",
        (select count(*)::int from mail_bounces where score >= ${BOUNCE_LIMIT}) as "addressesShut",
        (select count(*)::int from graphile_worker.jobs) as jobs,
        ((select count(*) from outbox_failures) + (select count(*) from graphile_worker.jobs
          where last_error is not null))::int as failed,
        ((select count(*) from outbox_failures where next_at is null)
          + (select count(*) from graphile_worker.jobs
            where last_error is not null and attempts >= max_attempts))::int as stuck,
        pg_database_size(current_database())::float8 as "databaseBytes"`,
  );
