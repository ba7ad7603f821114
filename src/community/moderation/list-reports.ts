import { type Db, limit, many, sql } from "#platform/database";
import { isId } from "#platform/ids";
import { createExcerpt } from "#platform/markup";
import { notFound } from "#platform/refusal";
import {
  encodeCursor,
  andIfGiven,
  type Page,
  toPage,
  personCard,
  type PersonCard,
  readCursor,
} from "#community/common";
import { otherModeratorExists, removerId, joinReportedContent } from "#community/discussions";
import { blockerIds, requireSignedIn } from "#community/friends";
import { isResourceVisible } from "#community/resources";
import {
  isDiscussionReadable,
  groupFactsJson,
  isGroupModerator,
  isGroupVisible,
  isReportAboutOwnGroup,
  viewerMembership,
} from "#community/groups";
import {
  type GroupFacts,
  isStaff,
  LIMITS,
  type ReportFacts,
  reportRules,
  type SignedIn,
  type Viewer,
} from "#community/rules";

/** Current place of a reported post, or the reported resource, person or group. */
export type ReportedPlace = {
  /** Null if the subject is not a post. */
  postId: string | null;
  kind: "discussion" | "resource" | "person" | "group";
  id: string;
  title: string;
  /** The post's number. */
  number: number | null;
  /** The content was removed since the report, by anyone. */
  gone: boolean;
  /** True for an active group, which can be archived. */
  active: boolean;
  /** The post or resource is hidden because of the number of reports, until this report is resolved. */
  hidden: boolean;
  /** Whether the viewer can open the place. */
  open: boolean;
};
/** The guest who made a report; only site staff see the name and the masked address, `m…@e…`. */
export type GuestReporter = { name: string; address: string } | { name: null; address: null };
export type ReportRow = Pick<ReportFacts, "concernsViewer"> & {
  id: string;
  caseId: string;
  /** Null for a report of a guest, and for an automatic one, whose reason names the watched words. */
  reporter: PersonCard | null;
  guest: GuestReporter | null;
  /** The report is an appeal by the author of removed content. */
  appeal: boolean;
  /** Number of further reports about the same subject. */
  others: number;
  /** Authors of the selected messages. */
  authors: PersonCard[];
  /** Null for messages, and for deleted subjects. */
  place: ReportedPlace | null;
  group: (GroupFacts & { id: string; slug: string; name: string }) | null;
  reason: string;
  category: { id: string; name: string };
  /** For illegal content: country and law, as the reporter named them. */
  law: string;
  createdAt: Date;
  resolvedAt: Date | null;
  outcome: "upheld" | "rejected" | null;
};

const PAGE_SIZE = LIMITS.page.cards;

/**
 * Whether the reports `o` and `r` are decided together: they are in the same case, and either both are pending
 * or both were resolved at the same time.
 */
export const isSameReport = (o: string) =>
  sql<boolean>`(${sql.ref(o)}.case_id = r.case_id and ${sql.ref(o)}.appeal = r.appeal
    and ${sql.ref(o)}.resolved_at is not distinct from r.resolved_at)`;

/**
 * Whether the report involves the viewer, so that others must decide it: the viewer made it or a related
 * report, wrote a reported text, removed the appealed content, or moderates the reported group. SQL
 * equivalent of `concernsViewer`.
 */
export const concernsViewerCondition = (me: SignedIn) => sql<boolean>`
  (exists (select from reports own
    where own.reporter_id = ${me.id} and (own.id = r.id or ${isSameReport("own")}))
    or exists (select from reports o join reported_messages own on own.report_id = o.id
      where (o.id = r.id or ${isSameReport("o")}) and own.author_id = ${me.id})
    or (r.appeal and coalesce(at.others_judge, false)) or ${isReportAboutOwnGroup(sql`${me.id}::uuid`, "r")})`;

/**
 * Joins the reporter of the report `r`, and the report's subject with its place as `at`. Reports about a
 * group are not decided by its moderators.
 */
export const joinReportPlaces = (me: SignedIn) => sql`
  left join people reporter on reporter.id = r.reporter_id
  left join lateral (
    select json_build_object('postId', x.id, 'number', x.number, 'hidden',
      case when x.id is not null then x.state = 'hidden' else coalesce(s.state = 'hidden', false) end,
        'kind', case when d.id is not null then 'discussion' when s.id is not null then 'resource'
          when who.id is not null then 'person' else 'group' end,
        'id', coalesce(d.id, s.id, who.id, g.id), 'title',
        coalesce(d.title, s.title, who.display_name, g.name),
        'gone', case when x.id is not null then x.state not in ('published', 'hidden')
          when s.id is not null then s.state = 'removed'
          when who.id is not null then who.state = 'erased' else g.state = 'deleted' end,
        'active', r.group_id is not null and g.state = 'active',
        'open', case when d.id is not null then d.state <> 'deleted' and ${isDiscussionReadable("d", "g", "m")}
          when s.id is not null then ${isResourceVisible(me, "s", "g", "m")}
          when who.id is not null then who.state <> 'erased' else g.state <> 'deleted'
          and ${isGroupVisible("g", "m")}
            end) as place,
      case when g.id is not null and r.group_id is null then ${groupFactsJson("g", "m")} end as "group", case
        when r.group_id is null then g.id end as group_id,
      ${removerId} = ${me.id}
        and ${otherModeratorExists(sql`${me.id}::uuid`)} as others_judge,
      r.group_id is null and g.state <> 'deleted' and ${isGroupModerator("m")} as led
    from (values (1)) one (report) ${joinReportedContent}
    ${viewerMembership(me, "g", "m")} left
    join people who on who.id = r.person_id
    where r.about_id is not null) at on true`;

/** The guest who made the report `report`, as the viewer may know them; null for other reports. */
export const guestColumn = (me: SignedIn, report: string) => sql`case when ${sql.ref(report)}.by_guest then (
  select case when ${isStaff(me)}::boolean then json_build_object('name', guest.name, 'address',
      left(guest.email, 1) || '…@' || left(split_part(guest.email, '@', 2), 1) || '…')
    else json_build_object('name', null, 'address', null) end
  from (values (1)) one (row) left join guest_reports guest on guest.report_id = ${sql.ref(report)}.id) end`;

/** Category of a report, by its alias; the name is empty for the translated default. */
export const categoryColumn = (report: string) => sql`json_build_object('id', ${sql.ref(report)}.category,
  'name', coalesce((select it->>'name' from settings, jsonb_array_elements(value) it
    where key = 'reportCategories' and it->>'id' = ${sql.ref(report)}.category), ''))`;

export const reportColumns = (me: SignedIn) => sql`
  r.id, r.case_id as "caseId", r.appeal,
  case when reporter.id is not null then ${personCard("reporter")} end as reporter,
  ${guestColumn(me, "r")} as guest,
  r.reason, r.created_at as "createdAt",
  r.resolved_at as "resolvedAt", r.outcome, ${concernsViewerCondition(me)} as "concernsViewer",
  ${categoryColumn("r")} as category, r.law, at.place, at."group", (select count(*)::int from reports o
    where ${isSameReport("o")} and o.id <> r.id) as others,
  (select coalesce(json_agg(${personCard("author")} order by author.id), '[]') from people author
   where author.id in (select author_id from reported_messages
     where report_id = r.id and chosen)) as authors`;

/**
 * Reports of a person or their content, latest first, 50 at most, without those that involve the viewer.
 * @throws `not-found` for all but staff
 */
export async function listReportsAbout(db: Db, viewer: Viewer, personId: string): Promise<ReportRow[]> {
  if (!reportRules.list(viewer)) throw notFound();
  if (!isId(personId)) return [];
  const me = requireSignedIn(viewer);
  const rows = await many(
    db,
    sql<ReportRow>`
      select ${reportColumns(me)} from reports r ${joinReportPlaces(me)}
      where r.id in (select id from reports where person_id = ${personId} union select report_id
        from reported_messages where author_id = ${personId} and chosen)
        and not r.appeal and not ${concernsViewerCondition(me)}
      order by r.created_at desc, r.id desc ${limit(LIMITS.page.people)}`,
  );
  return rows.map((row) => ({ ...row, reason: createExcerpt(row.reason.replaceAll("<", "&lt;"), 160) }));
}

/** A report as its reporter sees it: without moderators and notes. */
export type OwnReport = Pick<
  ReportRow,
  "id" | "appeal" | "category" | "reason" | "createdAt" | "resolvedAt" | "outcome"
> & {
  /** Kind of the subject, which is not named: the reporter may no longer see it. */
  about: "words" | "person" | "resource" | "group";
  authors: string[];
  /** For an appeal, the reason of the decision. */
  answer: string;
};

/**
 * The viewer's own reports, latest first, with outcomes.
 * @throws `not-signed-in`
 */
export async function listOwnReports(
  db: Db,
  viewer: Viewer,
  query: { after?: string | undefined } = {},
): Promise<Page<OwnReport>> {
  const me = requireSignedIn(viewer);
  const cursor = readCursor(query.after, ["time", "id"]);
  const rows = await many(
    db,
    sql<OwnReport>`
      select r.id, r.appeal, ${categoryColumn("r")} as category, r.answer, r.reason, r.created_at as "createdAt",
        case when r.person_id is not null then 'person' when r.resource_id is not null then 'resource'
          when r.group_id is not null then 'group' else 'words'
          end as about, r.resolved_at as "resolvedAt", r.outcome,
        array(select distinct author.display_name from reported_messages x
        join people author on author.id = x.author_id
              where x.report_id = r.id and x.chosen and author.id <> all(${blockerIds(me)})
                order by 1) as authors
      from reports r where r.reporter_id = ${me.id} ${andIfGiven(
        cursor,
        ([time, id]) => sql`(r.created_at,
        r.id) < (${time}, ${id}::uuid)`,
      )}
      order by r.created_at desc, r.id desc ${limit(PAGE_SIZE + 1)}`,
  );
  return toPage(rows, PAGE_SIZE, (last) => encodeCursor(last.createdAt, last.id));
}
