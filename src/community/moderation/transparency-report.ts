import { type Db, many, sql } from "#platform/database";

/** `few` replaces one and two, because such small numbers could identify people. */
export type PublishedCount = number | "few";
const COUNTED = [
  "reports",
  "upheld",
  "rejected",
  "appeals",
  "restored",
  "kept",
  "removed",
  "limited",
  "suspended",
] as const;
/**
 * Counts of one month (`2026-05`, UTC): reports and their outcomes, appeals and their outcomes, removals, and
 * accounts limited or suspended.
 */
export type TransparencyMonth = { month: string } & Record<(typeof COUNTED)[number], PublishedCount>;

const MONTH_COUNT = 12;

/** Moderation counts of the last twelve months, latest first. Public, so it names no person and no group. */
export async function getTransparencyReport(db: Db, now: Date): Promise<TransparencyMonth[]> {
  const months = Array.from(
    { length: MONTH_COUNT },
    (_, back) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back)),
  );
  const since = months.at(-1)!;
  const rows = await many(
    db,
    sql<{ month: string; what: string; count: number }>`
      with happened (at, what) as (
        select created_at, case when appeal then 'appeals' else 'reports' end from reports
        where created_at >= ${since}
        union all
        select resolved_at, case when not appeal then outcome when outcome = 'upheld' then 'restored'
          else 'kept' end
          from reports where resolved_at >= ${since}
        union all
        select at, case act when 'person.limited' then 'limited' when 'person.suspended' then 'suspended'
          else 'removed' end
          from audit_events where at >= ${since}
            and act in ('person.limited', 'person.suspended', 'post.removed', 'resource.removed'))
      select to_char(at at time zone 'UTC', 'YYYY-MM') as month, what, count(*)::int as count from happened
      group by 1, 2`,
  );
  return months.map((at) => {
    const month = at.toISOString().slice(0, 7);
    const count = (what: string): PublishedCount =>
      maskSmallCount(rows.find((row) => row.month === month && row.what === what)?.count ?? 0);
    return {
      month,
      ...(Object.fromEntries(COUNTED.map((what) => [what, count(what)])) as Record<
        (typeof COUNTED)[number],
        PublishedCount
      >),
    };
  });
}

const maskSmallCount = (n: number): PublishedCount => (n > 0 && n < 3 ? "few" : n);
