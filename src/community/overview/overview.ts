import { DAY, addMilliseconds } from "#platform/clock";
import { type Db, limit, one, sql } from "#platform/database";
import { BOUNCE_LIMIT } from "#platform/mail";
import { Refusal } from "#platform/refusal";
import { countOpenCases } from "#community/moderation";
import { accountRules, type Viewer } from "#community/rules";
import { loadWeeklyFigures, type WeekFigures } from "./weekly-figures.ts";

export type Overview = {
  people: { members: number; newThisWeek: number; today: number; thisWeek: number; thisMonth: number };
  /** Figures of the latest thousand discussions of the last 30 days. */
  talk: { discussions: number; unanswered: number };
  weeks: WeekFigures[];
  /** Pending tasks and failures. */
  work: {
    accounts: number;
    /** Number of open reports that do not involve the viewer; 100 at most. */
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
 * Data of the admin overview, from recent or pending rows; only people and uploads are scanned fully.
 * @throws `not-allowed` for everyone but admins
 */
export async function getOverview(db: Db, viewer: Viewer, now: Date): Promise<Overview> {
  if (!accountRules.run(viewer)) throw new Refusal("not-allowed", "Only admins can see the overview.");
  return {
    people: await loadPeopleFigures(db, now),
    talk: await loadDiscussionFigures(db, now),
    weeks: await loadWeeklyFigures(db, now),
    work: { ...(await loadTaskFigures(db, now)), reports: await countOpenCases(db, viewer) },
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
      select count(*)::int as discussions, count(*) filter (where posts_count = 1)::int as unanswered
      from (
        select d.posts_count from discussions d
        where d.state = 'open' and d.last_post_at > ${daysBefore(now, 30)}
          and d.created_at > ${daysBefore(now, 30)}
        order by d.last_post_at desc, d.id desc ${limit(MAX_DISCUSSIONS)}) lately`,
  );

const loadTaskFigures = (db: Db, now: Date) =>
  one(
    db,
    sql<Omit<Overview["work"], "reports">>`
      select (select count(*)::int from people where state = 'pending_approval') as accounts,
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
