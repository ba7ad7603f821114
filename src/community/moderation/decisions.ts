import { type Db, limit, many, sql } from "#platform/database";
import { notFound } from "#platform/refusal";
import { andIfGiven } from "#community/common";
import { accountRules, type Viewer } from "#community/rules";
import { isDecisionUndone } from "./cases/undo-decision.ts";

/**
 * Effect of a decision on a report (a measure, `none` or `dismissed`) or on an appeal (`restored` or `kept`).
 */
export type DecisionAction =
  | "removed"
  | "archived"
  | "limited"
  | "suspended"
  | "warned"
  | "returned"
  | "slowed"
  | "locked"
  | "banned"
  | "none"
  | "dismissed"
  | "restored"
  | "kept";

/** A moderation decision without the people, the content and the group that it concerns. */
export type Decision = {
  at: Date;
  id: string;
  /** Category of the first report; null for a decision without a report. */
  category: string | null;
  /** The law that a reporter named, else the rule that the decision cites. */
  law: string;
  actions: DecisionAction[];
  content:
    | "post"
    | "comment"
    | "discussion"
    | "messages"
    | "person"
    | "account"
    | "resource"
    | "group"
    | null;
  /** `own initiative`: no member or guest reported it. */
  source: "notice" | "appeal" | "own initiative";
  /** Watched words found the content. */
  isAutomatic: boolean;
};

/** Removals and sanctions, which are decisions even without a report. */
const OWN_MEASURES = sql`'post.removed', 'discussion.deleted', 'resource.removed', 'person.limited',
  'person.suspended'`;
const CASE_MEASURES = sql`'group.archived', 'case.warned', 'post.returned', 'resource.returned',
  'discussion.slowed', 'discussion.locked', 'group.banned'`;
const MEASURES = sql`(${OWN_MEASURES}, ${CASE_MEASURES})`;
/** Audited actions that are measures only as part of a decision on reports. */
export const REPORTED_MEASURES = sql`(${CASE_MEASURES})`;
/** Measure of the audit event `e`. */
export const measureColumn = sql`case e.act when 'group.archived' then 'archived' when 'person.limited' then 'limited'
  when 'person.suspended' then 'suspended' when 'case.warned' then 'warned' when 'post.returned' then 'returned'
  when 'resource.returned' then 'returned' when 'discussion.slowed' then 'slowed' when 'discussion.locked' then 'locked' when 'group.banned' then 'banned'
  else 'removed' end`;

/**
 * Rows of decisions since a time: reports and appeals that were closed together, and removals and sanctions
 * without a report. Reports store each decision of a case; the case stores only the latest one, and the rule
 * that the decision on the reports cites, which an appeal keeps. A measure belongs to the decision of the same
 * person at the same moment, because both are written in one transaction.
 */
export const decisionRows = (since: Date) => sql`
  select d.at, d.id, d.category, d.law, d.content, case when d.appeal then 'appeal'
      when d.unreported then 'own initiative' else 'notice' end as source, d.automatic as "isAutomatic",
    case when d.appeal then array[case d.outcome when 'upheld' then 'restored' else 'kept' end]
      when d.outcome = 'rejected' then array['dismissed'] else coalesce((
        select array_agg(distinct ${measureColumn}) from audit_events e
        where e.at = d.at and e.actor_id = d.by and e.act in ${MEASURES}), array['none']) end as actions
  from (
    select r.resolved_at as at, (array_agg(r.id order by r.id))[1] as id, r.appeal, r.outcome,
      (array_agg(r.resolved_by))[1] as by, bool_or(r.text_digest is not null) as automatic,
      bool_and(r.text_digest is not null) as unreported,
      (array_agg(r.category order by r.text_digest is not null, r.created_at, r.id))[1] as category,
      coalesce((array_agg(r.law order by r.created_at, r.id) filter (where r.law <> ''))[1],
        max(c.rule) filter (where not r.appeal and r.resolved_at = (
          select max(latest.resolved_at) from reports latest
          where latest.case_id = c.id and not latest.appeal)), '') as law,
      (array_agg(case when c.subject_kind = 'person' and r.appeal then 'account'
        when x.resource_id is not null then 'comment' when x.number = 1 then 'discussion'
        else c.subject_kind end))[1] as content
    from reports r join cases c on c.id = r.case_id left join posts x on x.id = r.post_id
    where r.resolved_at >= ${since}
    group by r.case_id, r.resolved_at, r.appeal, r.outcome) d
  union all
  select e.at, e.id, null, '', case e.object_kind when 'person' then 'account' else e.object_kind end,
    'own initiative', false, array[${measureColumn}]
  from audit_events e
  where e.at >= ${since} and e.act in (${OWN_MEASURES}) and e.actor_id is not null
    and not exists (select from reports r where r.resolved_at = e.at and r.resolved_by = e.actor_id)
    and not ${isDecisionUndone("e")}`;

/** Number of rows read at a time. */
const BATCH_SIZE = 500;

/**
 * All stored decisions, oldest first, read in batches.
 * @throws `not-found` for all but admins
 */
export async function* iterateDecisions(db: Db, viewer: Viewer): AsyncGenerator<Decision> {
  if (!accountRules.run(viewer)) throw notFound();
  let last: Decision | undefined;
  do {
    const from: Date = last?.at ?? new Date(0);
    const rows: Decision[] = await many(
      db,
      sql<Decision>`select * from (${decisionRows(from)}) decision
        where true ${andIfGiven(last, ({ at, id }) => sql`(at, id) > (${at}, ${id}::uuid)`)}
        order by at, id ${limit(BATCH_SIZE)}`,
    );
    yield* rows;
    last = rows.length === BATCH_SIZE ? rows.at(-1) : undefined;
  } while (last);
}
