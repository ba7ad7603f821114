import { type Db, many, sql } from "#platform/database";
import { createTable } from "#platform/objects";
import { type DecisionAction, decisionRows, measureColumn, REPORTED_MEASURES } from "./decisions.ts";
import { isDecisionUndone } from "./cases/undo-decision.ts";

/** `few` replaces one and two, because such small numbers could identify people. */
export type PublishedCount = number | "few";
const COUNTED = [
  "reports",
  "automatic",
  "upheld",
  "rejected",
  "appeals",
  "restored",
  "kept",
  "removed",
  "returned",
  "warned",
  "locked",
  "slowed",
  "banned",
  "archived",
  "limited",
  "suspended",
] as const;
/**
 * Counts of one month (`2026-05`, UTC): reports of people and their outcomes, automatic reports, appeals and
 * their outcomes, removals, other measures of decisions on reports, and accounts limited or suspended. A lock
 * without a report is no decision about content.
 */
export type TransparencyMonth = { month: string } & Record<(typeof COUNTED)[number], PublishedCount>;

const MONTH_COUNT = 12;

/** First moments of the last twelve months, latest first. */
const listMonths = (now: Date): Date[] =>
  Array.from(
    { length: MONTH_COUNT },
    (_, back) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back)),
  );

/** Moderation counts of the last twelve months, latest first. Public, so it names no person and no group. */
export async function getTransparencyReport(db: Db, now: Date): Promise<TransparencyMonth[]> {
  const months = listMonths(now);
  const since = months.at(-1)!;
  const rows = await many(
    db,
    sql<{ month: string; what: string; count: number }>`
      with happened (at, what) as (
        select created_at, case when appeal then 'appeals' when text_digest is not null then 'automatic'
          else 'reports' end from reports
        where created_at >= ${since}
        union all
        select resolved_at, case when not appeal then outcome when outcome = 'upheld' then 'restored'
          else 'kept' end
          from reports where resolved_at >= ${since} and text_digest is null
        union all
        select at, case act when 'person.limited' then 'limited' when 'person.suspended' then 'suspended'
          else 'removed' end
          from audit_events e where at >= ${since}
            and act in ('person.limited', 'person.suspended', 'post.removed', 'resource.removed')
            and not ${isDecisionUndone("e")}
        union all
        select at, what from (
          select distinct e.at, e.actor_id, ${measureColumn} as what from audit_events e
          where e.at >= ${since} and e.act in ${REPORTED_MEASURES}
            and exists (select from reports r where r.resolved_at = e.at and r.resolved_by = e.actor_id
              and not r.appeal)) decided)
      select to_char(at at time zone 'UTC', 'YYYY-MM') as month, what, count(*)::int as count from happened
      group by 1, 2`,
  );
  return months.map((at) => {
    const month = at.toISOString().slice(0, 7);
    const count = (what: string): PublishedCount =>
      maskSmallCount(rows.find((row) => row.month === month && row.what === what)?.count ?? 0);
    return {
      month,
      ...createTable(COUNTED, count),
    };
  });
}

const ACTIONS = [
  "removed",
  "returned",
  "warned",
  "locked",
  "slowed",
  "banned",
  "archived",
  "limited",
  "suspended",
  "none",
  "dismissed",
] as const;
/** Counts of one category: its reports, and the actions that were taken on them. */
export type CategoryStatistics = { category: string } & Record<
  "reports" | (typeof ACTIONS)[number],
  PublishedCount
>;

/**
 * Reports of people in the last twelve months and the actions of their decisions, by category; categories without
 * reports are left out. Public like `getTransparencyReport`.
 */
export async function getCategoryStatistics(db: Db, now: Date): Promise<CategoryStatistics[]> {
  const since = listMonths(now).at(-1)!;
  const rows = await many(
    db,
    sql<{ category: string; what: "reports" | DecisionAction; count: number }>`
      select category, 'reports' as what, count(*)::int as count from reports
      where not appeal and text_digest is null and created_at >= ${since} group by 1
      union all
      select category, action, count(*)::int from (${decisionRows(since)}) d, unnest(d.actions) action
      where d.source = 'notice' group by 1, 2`,
  );
  return [...new Set(rows.map(({ category }) => category))].toSorted().map((category) => {
    const count = (what: string): PublishedCount =>
      maskSmallCount(rows.find((row) => row.category === category && row.what === what)?.count ?? 0);
    return { category, ...createTable(["reports", ...ACTIONS] as const, count) };
  });
}

const maskSmallCount = (n: number): PublishedCount => (n > 0 && n < 3 ? "few" : n);
