import { many, sql, type Tx } from "#platform/database";
import { isId } from "#platform/ids";

type LockTarget = { reportId: string } | { aboutId: string };

/**
 * Locks a report with all pending ones of its case, or all pending ones about a post, person or
 * group. Locks the subject first and keeps a fixed order, so that concurrent reports and decisions wait for
 * each other.
 */
export function lockPendingReports(
  tx: Tx,
  about: LockTarget,
): Promise<{ id: string; reporterId: string | null }[]> {
  const id = "reportId" in about ? about.reportId : about.aboutId;
  const given = isId(id) ? id : null;
  const which =
    "reportId" in about
      ? sql`(r.id = ${given}::uuid
        or r.case_id = (select case_id from reports where id = ${given}::uuid))`
      : sql`r.about_id = ${given}::uuid`;
  return many(
    tx,
    sql<{ id: string; reporterId: string | null }>`
      select r.id, r.reporter_id as "reporterId" from reports r where r.resolved_at is null and ${which}
      order by r.id for no key update`,
  );
}
