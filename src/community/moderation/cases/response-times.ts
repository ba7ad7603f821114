import { DAY, addMilliseconds } from "#platform/clock";
import { type Db, limit, many, one, sql } from "#platform/database";
import { requireSignedIn } from "#community/friends";
import { LIMITS, reportRules, type SignedIn, type Viewer } from "#community/rules";
import { assertCanListCases } from "./list-cases.ts";

/** Days over which times are measured. */
export const RESPONSE_DAYS = 30;
/** Maximum number of cases that are measured, latest first. */
const MAX_MEASURED = 500;

/** Median seconds from the first report to the first claim, and to the decision; null without such a case. */
export type ResponseTimes = { claimSeconds: number | null; decisionSeconds: number | null };
/** Times of one group, or outside of groups (null), with the numbers of cases that they are measured in. */
export type GroupResponseTimes = ResponseTimes & {
  group: { slug: string; name: string } | null;
  claimed: number;
  decided: number;
};

/**
 * Median times of the last thirty days, over the cases that the viewer may list: all for staff, those of their
 * groups for others. Cases that involve the viewer, duplicates and appeals are not measured.
 * @throws like `listCases`
 */
export async function getResponseTimes(db: Db, viewer: Viewer, now: Date): Promise<ResponseTimes> {
  await assertCanListCases(db, viewer, undefined);
  const me = requireSignedIn(viewer);
  return one(
    db,
    sql<ResponseTimes>`
      select (select ${median()} from (${measured(me, "claimed_at", now)}) c) as "claimSeconds",
        (select ${median()} from (${measured(me, "resolved_at", now)}) d) as "decisionSeconds"`,
  );
}

/**
 * The same times by group, most cases first.
 * @throws like `listCases`
 */
export async function listResponseTimes(db: Db, viewer: Viewer, now: Date): Promise<GroupResponseTimes[]> {
  await assertCanListCases(db, viewer, undefined);
  const me = requireSignedIn(viewer);
  return many(
    db,
    sql<GroupResponseTimes>`
      select case when g.id is not null then json_build_object('slug', g.slug, 'name', g.name) end as "group",
        times.claimed, times.decided, times."claimSeconds", times."decisionSeconds"
      from (
        select group_id, count(*) filter (where claim)::int as claimed,
          count(*) filter (where not claim)::int as decided,
          ${median()} filter (where claim) as "claimSeconds",
          ${median()} filter (where not claim) as "decisionSeconds"
        from (
          select group_id, seconds, true as claim from (${measured(me, "claimed_at", now)}) c
          union all
          select group_id, seconds, false from (${measured(me, "resolved_at", now)}) d) times
        group by group_id) times
      left join groups g on g.id = times.group_id
      where g.id is null or g.state <> 'deleted'
      order by times.decided + times.claimed desc, g.name, g.id ${limit(LIMITS.page.people)}`,
  );
}

const median = () => sql`percentile_cont(0.5) within group (order by seconds)`;

/** Cases with the seconds from their first report to their first claim or their decision, latest first. */
const measured = (me: SignedIn, moment: "claimed_at" | "resolved_at", now: Date) => sql`
  select c.group_id, extract(epoch from c.${sql.ref(moment)} - c.opened_at)::float8 as seconds from cases c
  where c.${sql.ref(moment)} >= ${addMilliseconds(now, -RESPONSE_DAYS * DAY)} and not c.appeal
    and c.duplicate_of is null and ${inPlacesOf(me)} and not c.id = any(array(${involvingCases(me)}))
  order by c.${sql.ref(moment)} desc ${limit(MAX_MEASURED)}`;

const ledGroups = (me: SignedIn) => sql`array(select l.group_id from memberships l
  where l.person_id = ${me.id}::uuid and l.state = 'member' and l.role <> 'member')`;

/** Places whose cases the viewer may list. Moderators do not decide about the group itself. */
const inPlacesOf = (me: SignedIn) =>
  reportRules.list(me)
    ? sql`(c.subject_kind is distinct from 'group' or c.subject_id <> all(${ledGroups(me)}))`
    : sql`c.group_id = any(${ledGroups(me)})`;

/** Cases that the viewer reported, or in which they wrote a reported text. */
const involvingCases = (me: SignedIn) => sql`
  select case_id from reports where reporter_id = ${me.id}
  union select r.case_id from reported_messages own join reports r on r.id = own.report_id
  where own.author_id = ${me.id} and own.chosen`;
