import { type Db, limit, many, sql } from "#platform/database";
import { isId } from "#platform/ids";
import { Refusal } from "#platform/refusal";
import { cursorOf, given, type Page, pageOf, readCursor, storable } from "#community/common";
import { cardFor, signedIn } from "#community/friends";
import { groupLed, groupReadable, groupVisible, viewersTie } from "#community/groups";
import { LIMITS, accountRules, type SignedIn, type Viewer } from "#community/rules";
import type { LoggedAct } from "./log.ts";
import { concerns, reportsWithPlaces } from "./reports.ts";

/** Filters of the log, by kind of subject. */
const PARTS = {
  people: ["person"],
  groups: ["group"],
  words: ["discussion", "post", "resource"],
  reports: ["report"],
  place: ["settings", "profile-field", "announcement", "import"],
  programs: ["backend", "role"],
} as const;
export type LogPart = keyof typeof PARTS;

/** `objectId`: null if the viewer cannot open the subject or may not know of it. */
export type SiteAct = Omit<LoggedAct, "objectId"> & {
  objectId: string | null;
  /** The group, if the viewer may know of it. */
  group: { slug: string; name: string } | null;
};
/** `by`: the actor's username or id. */
type Asked = { by?: string; part?: LogPart | undefined; after?: string };

/**
 * Actions of staff and moderators on the whole site, latest first, 50 a page. For groups that the viewer
 * neither moderates nor finds public it contains only staff actions (inspections, approvals, rejections), and
 * no actions on reports that involve the viewer.
 * @throws `not-allowed` for all but admins
 */
export async function siteLog(db: Db, viewer: Viewer, { by = "", part, after = "" }: Asked): Promise<Page<SiteAct>> {
  if (!accountRules.run(viewer)) throw new Refusal("not-allowed", "Only admins read the log of the place.");
  const me = signedIn(viewer);
  const cursor = readCursor(after, ["time", "id"]);
  const rows = await many(
    db,
    sql<SiteAct>`
      select ${columns(me)} from ${actsWithPlaces(me)}
      where ${told(me)} ${by ? sql`and a.actor_id = ${doer(by)}` : sql``}
        ${part ? sql`and a.object_kind = any(${PARTS[part] as unknown as string[]}::text[])` : sql``}
        ${given(cursor, ([at, id]) => sql`(a.at, a.id) < (${at}, ${id}::uuid)`)}
      order by a.at desc, a.id desc ${limit(LIMITS.page.people + 1)}`,
  );
  return pageOf(rows, LIMITS.page.people, (last) => cursorOf(last.at, last.id));
}

/**
 * Staff actions on a person's account, latest first, 50 at most: permissions, pictures, requests for the
 * email.
 * @throws `not-allowed` for all but staff
 */
export async function actsOn(db: Db, viewer: Viewer, personId: string): Promise<SiteAct[]> {
  if (!accountRules.lookAfter(viewer)) throw new Refusal("not-allowed", "Only moderators and admins do that.");
  if (!isId(personId)) return [];
  const me = signedIn(viewer);
  return many(
    db,
    sql<SiteAct>`
      select ${columns(me)} from ${actsWithPlaces(me)} where a.object_kind = 'person' and a.object_id = ${personId}
      order by a.at desc, a.id desc ${limit(LIMITS.page.people)}`,
  );
}

const doer = (by: string) =>
  isId(by) ? sql`${by}::uuid` : sql`(select id from people where username = ${storable(by).trim().replace(/^@/, "").toLowerCase()})`;

const uuidIn = (text: ReturnType<typeof sql>) =>
  sql`case when ${text} ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then (${text})::uuid end`;
const IN_A_PLACE = sql`('discussion', 'post', 'resource')`;

/** Joins actor, target person and group of the audit entry `a`. */
const actsWithPlaces = (me: SignedIn) => sql`
  audit_events a left join people actor on actor.id = a.actor_id
  left join people whom on whom.id = case when a.object_kind = 'person' then ${uuidIn(sql`a.object_id`)} else ${uuidIn(sql`a.details->>'personId'`)} end
  left join groups g on g.id = case when a.object_kind = 'group' then ${uuidIn(sql`a.object_id`)}
    else ${uuidIn(sql`coalesce(a.details->>'groupId', case a.object_kind when 'announcement' then a.details->>'group' end)`)} end
  ${viewersTie(me)}`;

/** Actions on a group or in one. Those in the site library are in no group and say so. */
const inGroup = sql<boolean>`
  (a.object_kind = 'group' or (a.object_kind in ${IN_A_PLACE} and not (a.details ? 'groupId' and a.details->>'groupId' is null))
    or (a.object_kind = 'announcement' and a.details->>'group' is not null))`;
/** For a public group, actions since it became public. */
const isOpenTo = sql<boolean>`
  coalesce(g.state <> 'deleted' and (${groupLed} or (g.visibility = 'public' and ${groupReadable} and not exists (
    select from audit_events door where door.object_kind = 'group' and door.object_id = g.id::text
      and door.act in ('group.door_changed', 'group.opened') and door.at > a.at))), false)`;
const ofStaff = sql<boolean>`a.act in ('group.inspected', 'discussion.inspected', 'group.let_in', 'group.turned_down')`;

const told = (me: SignedIn) => sql<boolean>`
  case when ${inGroup} then ${isOpenTo} or ${ofStaff}
    when a.object_kind = 'report' then exists (
      select from (select ${uuidIn(sql`a.object_id`)} as id) one join lateral (select r.id from ${reportOf(me)}) it on true)
    else true end`;

const reportOf = (me: SignedIn) => sql`${reportsWithPlaces(me)} where r.id = one.id and not ${concerns(me)}`;

/** Settings entries contain the values and API calls their input: only the names are shown here. */
const columns = (me: SignedIn) => sql`
  a.id, a.at, a.act, ${cardFor(me, "actor", true)} as by, ${cardFor(me, "whom", true)} as whom, a.object_kind as kind, a.reason,
  case when not ${inGroup} or ${isOpenTo} then a.object_id end as "objectId",
  case when a.object_kind = 'person' or (${inGroup} and ${isOpenTo}) then a.details else '{}' end as details,
  case when ${groupVisible} then json_build_object('slug', g.slug, 'name', g.name) end as "group"`;
