import { type Db, limit, many, sql } from "#platform/database";
import { isId } from "#platform/ids";
import { Refusal } from "#platform/refusal";
import { encodeCursor, andIfGiven, type Page, toPage, readCursor, toStorableText } from "#community/common";
import { visiblePersonCard, requireSignedIn } from "#community/friends";
import { isGroupModerator, isGroupReadable, isGroupVisible, viewerMembership } from "#community/groups";
import { LIMITS, accountRules, type SignedIn, type Viewer } from "#community/rules";
import type { GroupLogEntry } from "./group-log.ts";
import { concernsViewerCondition, joinReportPlaces } from "./list-reports.ts";

/** Filters of the log, each with the kinds of subjects it includes. */
const LOG_PARTS = {
  people: ["person"],
  groups: ["group"],
  words: ["discussion", "post", "resource"],
  place: [
    "settings",
    "profile-field",
    "announcement",
    "import",
    "watched-word",
    "link-domain",
    "blocked-address",
  ],
  reports: ["report", "case"],
  programs: ["backend", "role"],
} as const;
export type LogPart = keyof typeof LOG_PARTS;

/**
 * An entry of the log. `objectId` is null if the viewer cannot open the subject or may not know that it
 * exists.
 */
export type SiteLogEntry = Omit<GroupLogEntry, "objectId"> & {
  objectId: string | null;
  /** The group of the action; null if the viewer may not know that it exists. */
  group: { slug: string; name: string } | null;
};
/** `by`: username or id of the actor. */
type SiteLogQuery = { by?: string; part?: LogPart | undefined; after?: string };

/**
 * Actions of staff and moderators on the whole site, latest first, 50 a page. For groups that are neither
 * public nor moderated by the viewer, only staff actions are included (inspections, approvals, rejections).
 * Actions on reports that involve the viewer are left out.
 * @throws `not-allowed` for all but admins
 */
export const listSiteLog = (db: Db, viewer: Viewer, query: SiteLogQuery): Promise<Page<SiteLogEntry>> =>
  listLogPage(db, viewer, query, LIMITS.page.people);

/** Number of entries that a file of the log reads at a time. */
const BATCH_SIZE = 500;

/**
 * All entries that `listSiteLog` lists, read in batches.
 * @throws `not-allowed` for all but admins
 */
export async function* iterateSiteLog(
  db: Db,
  viewer: Viewer,
  query: Omit<SiteLogQuery, "after">,
): AsyncGenerator<SiteLogEntry> {
  let after: string | null = "";
  do {
    const page: Page<SiteLogEntry> = await listLogPage(db, viewer, { ...query, after }, BATCH_SIZE);
    yield* page.rows;
    after = page.next;
  } while (after);
}

async function listLogPage(
  db: Db,
  viewer: Viewer,
  { by = "", part, after = "" }: SiteLogQuery,
  size: number,
): Promise<Page<SiteLogEntry>> {
  if (!accountRules.run(viewer)) throw new Refusal("not-allowed", "Only admins can read the audit log.");
  const me = requireSignedIn(viewer);
  const cursor = readCursor(after, ["time", "id"]);
  const rows = await many(
    db,
    sql<SiteLogEntry>`
      select ${logColumns(me)} from ${joinLogPlaces(me)}
      where ${logEntryVisible(me)} ${by ? sql`and a.actor_id = ${actorId(by)}` : sql``}
        ${part ? sql`and a.object_kind = any(${[...LOG_PARTS[part]]}::text[])` : sql``}
        ${andIfGiven(cursor, ([at, id]) => sql`(a.at, a.id) < (${at}, ${id}::uuid)`)}
      order by a.at desc, a.id desc ${limit(size + 1)}`,
  );
  return toPage(rows, size, (last) => encodeCursor(last.at, last.id));
}

/**
 * Staff actions on a person's account, latest first, 50 at most: permissions, pictures, requests for the
 * email.
 * @throws `not-allowed` for all but staff
 */
export async function listAccountHistory(db: Db, viewer: Viewer, personId: string): Promise<SiteLogEntry[]> {
  if (!accountRules.moderate(viewer))
    throw new Refusal("not-allowed", "Only moderators and admins can do this.");
  if (!isId(personId)) return [];
  const me = requireSignedIn(viewer);
  return many(
    db,
    sql<SiteLogEntry>`
      select ${logColumns(me)} from ${joinLogPlaces(me)}
      where a.object_kind = 'person' and a.object_id = ${personId} and ${personEntryVisible(me)}
      order by a.at desc, a.id desc ${limit(LIMITS.page.people)}`,
  );
}

const actorId = (by: string) =>
  isId(by)
    ? sql`${by}::uuid`
    : sql`(select id from people
      where username = ${toStorableText(by).trim().replace(/^@/, "").toLowerCase()})`;

const uuidFromText = (text: ReturnType<typeof sql>) =>
  sql`case when ${text} ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then (${text})::uuid end`;
const CONTENT_KINDS = sql`('discussion', 'post', 'resource')`;

/** Joins actor, target person and group of the audit entry `a`. */
const joinLogPlaces = (me: SignedIn) => sql`
  audit_events a left join people actor on actor.id = a.actor_id
  left join people whom on whom.id = case when a.object_kind = 'person' then ${uuidFromText(sql`a.object_id`)}
    else ${uuidFromText(sql`a.details->>'personId'`)} end
  left join groups g on g.id = case when a.object_kind = 'group' then ${uuidFromText(sql`a.object_id`)}
    else ${uuidFromText(sql`coalesce(a.details->>'groupId', case a.object_kind
      when 'announcement' then a.details->>'group' end)`)} end
  ${viewerMembership(me, "g", "m")}`;

/**
 * Whether the action concerns a group or its content. For content of the site library, the details have
 * `groupId: null`.
 */
const isGroupAction = sql<boolean>`
  (a.object_kind = 'group' or (a.object_kind in ${CONTENT_KINDS}
    and not (a.details ? 'groupId' and a.details->>'groupId' is null))
    or (a.object_kind = 'announcement' and a.details->>'group' is not null))`;
/**
 * Whether the viewer may see the action: as a moderator of the group, or because the group is public and was
 * public at that time.
 */
const isVisibleGroup = sql<boolean>`
  coalesce(g.state <> 'deleted'
    and (${isGroupModerator("m")} or (g.visibility = 'public' and ${isGroupReadable("g", "m")} and not exists (
    select from audit_events access where access.object_kind = 'group' and access.object_id = g.id::text
      and access.act in ('group.access_changed', 'group.opened') and access.at > a.at))), false)`;
const isStaffAction = sql<boolean>`a.act in ('group.inspected', 'discussion.inspected', 'group.approved',
  'group.rejected')`;

/** Nobody learns of notes on themselves. */
const personEntryVisible = (me: SignedIn) =>
  sql<boolean>`(a.act not in ('person.noted', 'person.note-deleted') or a.object_id <> ${me.id}::text)`;

const logEntryVisible = (me: SignedIn) => sql<boolean>`
  case when ${isGroupAction} then ${isVisibleGroup} or ${isStaffAction}
    when a.object_kind in ('report', 'case') then ${moderationEntryVisible(me)}
    when a.object_kind = 'person' then ${personEntryVisible(me)}
    else true end`;

/** Whether the report or case of the audit entry `a` does not involve the viewer. */
export const moderationEntryVisible = (me: SignedIn) => sql<boolean>`coalesce((
  select bool_and(not ${concernsViewerCondition(me)})
  from (select ${uuidFromText(sql`a.object_id`)} as id) entry
  join lateral (
    select found.* from reports found where a.object_kind = 'report' and found.id = entry.id
    union all
    select found.* from reports found where a.object_kind = 'case' and found.case_id = entry.id) r on true
  ${joinReportPlaces(me)}), false)`;

/** Maximum characters shown of a setting's text, before and after a change. */
const SETTING_TEXT_LENGTH = 200;
/** Values of changed settings; texts are cut, since rules and pages are long. */
const settingDetails = sql`(
  select jsonb_object_agg(key, case when jsonb_typeof(value) = 'string'
    then to_jsonb(left(value #>> '{}', ${SETTING_TEXT_LENGTH}::int)) else value end)
  from jsonb_each(a.details))`;

/**
 * Columns of an entry. Details of all other kinds of subjects are left out: those of API calls contain the
 * input.
 */
const logColumns = (me: SignedIn) => sql`
  a.id, a.at, a.act, ${visiblePersonCard(me, "actor", true)} as by,
  ${visiblePersonCard(me, "whom", true)} as whom, a.object_kind as kind, a.reason,
  case when not ${isGroupAction} or ${isVisibleGroup} then a.object_id end as "objectId",
  case when a.object_kind in ('person', 'watched-word', 'link-domain', 'blocked-address')
    or (${isGroupAction} and ${isVisibleGroup}) then a.details
    when a.object_kind = 'settings' then ${settingDetails} else '{}' end as details,
  case when ${isGroupVisible("g", "m")} then json_build_object('slug', g.slug, 'name', g.name) end as "group"`;
