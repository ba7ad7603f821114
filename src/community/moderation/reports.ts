import { type Db, limit, many, one, sql } from "#platform/database";
import { excerptOf } from "#platform/markup";
import { notFound, Refusal } from "#platform/refusal";
import { cursorOf, given, type Page, pageOf, personCard, type PersonCard, readCursor } from "#community/common";
import { othersJudge, withItsPlace } from "#community/discussions";
import { blockersOf, signedIn } from "#community/friends";
import { contentReadable, discussionReadable, groupFactsJson, groupLed, viewersTie } from "#community/groups";
import { type GroupFacts, LIMITS, type ReportFacts, reportRules, type SignedIn, type Viewer } from "#community/rules";

/** Where a reported post stands by now. */
export type ReportedPlace = {
  postId: string;
  kind: "discussion" | "resource";
  id: string;
  title: string;
  number: number;
  /** It was taken away since, by whomever. */
  gone: boolean;
  /** So many have reported it that nobody else reads it until this has ended. */
  hidden: boolean;
  /** The viewer can go there. */
  open: boolean;
};
export type ReportRow = Pick<ReportFacts, "concernsViewer"> & {
  id: string;
  reporter: PersonCard;
  /** Whoever wrote it asks that its removal is looked at again. */
  appeal: boolean;
  /** How many others have reported the same post. */
  others: number;
  /** Who wrote what was chosen. */
  authors: PersonCard[];
  /** Null for messages, and for a post that is no more. */
  place: ReportedPlace | null;
  group: (GroupFacts & { id: string; slug: string; name: string }) | null;
  reason: string;
  createdAt: Date;
  resolvedAt: Date | null;
  outcome: "upheld" | "rejected" | null;
};

const SIZE = LIMITS.page.cards;

/** The reports `o` that are one with `r`: of the same post, and as open, or ended at once. */
export const sameAs = (o: string) =>
  sql<boolean>`(${sql.ref(o)}.post_id = r.post_id and ${sql.ref(o)}.appeal = r.appeal and ${sql.ref(o)}.resolved_at is not distinct from r.resolved_at)`;

/**
 * Whether the viewer made it, or one of the same post, or wrote something that it shows, or removed what its author wants back: then others
 * look at it. Twin of `concernsViewer`.
 */
const concerns = (me: SignedIn) => sql<boolean>`
  (exists (select from reports own where own.reporter_id = ${me.id} and (own.id = r.id or ${sameAs("own")}))
    or exists (select from reported_messages own where own.report_id = r.id and own.author_id = ${me.id})
    or (r.appeal and coalesce(at.others_judge, false)))`;

/** Joins whoever made the report `r`, and, as `at`, where the post that it is about stands. */
export const reportsWithPlaces = (me: SignedIn) => sql`
  reports r join people reporter on reporter.id = r.reporter_id
  left join lateral (
    select json_build_object('postId', x.id, 'kind', case when d.id is not null then 'discussion' else 'resource' end, 'id', coalesce(d.id, s.id), 'title', coalesce(d.title, s.title),
        'number', x.number, 'gone', x.state not in ('published', 'hidden'), 'hidden', x.state = 'hidden', 'open', case when d.id is not null then d.state <> 'deleted' and ${discussionReadable}
          else s.state = 'published' and (s.group_id is null or ${contentReadable("s", "created_at")}) end) as place,
      case when g.id is not null then ${groupFactsJson} end as "group", g.id as group_id, x.taken_by = ${me.id} and ${othersJudge(sql`${me.id}::uuid`)} as others_judge, g.state <> 'deleted' and ${groupLed} as led
    from posts x ${withItsPlace} ${viewersTie(me)} where x.id = r.post_id) at on true`;

export const reportColumns = (me: SignedIn) => sql`
  r.id, r.appeal, ${personCard("reporter")} as reporter, r.reason, r.created_at as "createdAt", r.resolved_at as "resolvedAt", r.outcome, ${concerns(me)} as "concernsViewer",
  at.place, at."group", (select count(*)::int from reports o where ${sameAs("o")} and o.id <> r.id) as others,
  (select coalesce(json_agg(${personCard("author")} order by author.id), '[]') from people author
   where author.id in (select author_id from reported_messages where report_id = r.id and chosen)) as authors`;

/** `group`: only what was reported in it. */
type Wanted = { tab: "open" | "resolved"; after?: string | undefined; group?: GroupFacts & { id: string } };

/**
 * What was reported and waits, or is done, the latest first, of each post once; without what the viewer is part of. Staff find everything,
 * who looks after groups what stands there. `not-found` for everybody else; of a group `not-allowed`.
 */
export async function reportsFor(db: Db, viewer: Viewer, query: Wanted): Promise<Page<ReportRow>> {
  await assertMayList(db, viewer, query.group);
  const me = signedIn(viewer);
  const cursor = readCursor(query.after, ["time", "id"]);
  const at = query.tab === "open" ? sql`r.created_at` : sql`r.resolved_at`;
  const rows = await many(
    db,
    sql<ReportRow>`
      select ${reportColumns(me)} from ${reportsWithPlaces(me)}
      where r.resolved_at is ${query.tab === "open" ? sql`null` : sql`not null`} and ${heard(me, query.group)} and not ${concerns(me)}
        and not exists (select from reports later where ${sameAs("later")} and (later.created_at, later.id) > (r.created_at, r.id))
        ${given(cursor, ([time, id]) => sql`(${at}, r.id) < (${time}, ${id}::uuid)`)}
      order by ${at} desc, r.id desc ${limit(SIZE + 1)}`,
  );
  const short = rows.map((row) => ({ ...row, reason: excerptOf(row.reason.replaceAll("<", "&lt;"), 160) }));
  return pageOf(short, SIZE, (last) => cursorOf(query.tab === "open" ? last.createdAt : last.resolvedAt!, last.id));
}

/** How many posts of a group wait to be looked at by the viewer, 100 at most; 0 for who does not look after it. */
export async function reportsWaitingIn(db: Db, viewer: Viewer, group: GroupFacts & { id: string }): Promise<number> {
  if (!reportRules.listIn(viewer, group)) return 0;
  const me = signedIn(viewer);
  const { waiting } = await one(
    db,
    sql<{ waiting: number }>`
      select count(*)::int as waiting from (
        select distinct r.post_id from ${reportsWithPlaces(me)}
        where r.resolved_at is null and ${heard(me, group)} and not ${concerns(me)} ${limit(100)}) few`,
  );
  return waiting;
}

const heard = (me: SignedIn, group: { id: string } | undefined) =>
  group ? sql`at.group_id = ${group.id}` : reportRules.list(me) ? sql`true` : sql`at.led`;

async function assertMayList(db: Db, viewer: Viewer, group: GroupFacts | undefined): Promise<void> {
  if (group) {
    if (!reportRules.listIn(viewer, group))
      throw new Refusal("not-allowed", "Only those who look after the group see what was reported in it.");
  } else if (!reportRules.list(viewer) && !(await looksAfterAny(db, viewer))) throw notFound();
}

const looksAfterAny = async (db: Db, viewer: Viewer) =>
  viewer.id !== null &&
  (
    await one(
      db,
      sql<{ leads: boolean }>`select exists (
        select from groups g ${viewersTie(viewer)} where m.person_id = ${viewer.id} and g.state <> 'deleted' and ${groupLed}) as leads`,
    )
  ).leads;

/** A report as whoever made it finds it again: without who judged it and what was noted. */
export type OwnReport = Pick<ReportRow, "id" | "appeal" | "reason" | "createdAt" | "resolvedAt" | "outcome"> & {
  authors: string[];
  /** Of an appeal, why it comes back, or does not. */
  answer: string;
};

/** What the viewer has reported, the latest first, and how it ended. Throws `not-signed-in`. */
export async function ownReports(db: Db, viewer: Viewer, query: { after?: string | undefined } = {}): Promise<Page<OwnReport>> {
  const me = signedIn(viewer);
  const cursor = readCursor(query.after, ["time", "id"]);
  const rows = await many(
    db,
    sql<OwnReport>`
      select r.id, r.appeal, r.answer, r.reason, r.created_at as "createdAt", r.resolved_at as "resolvedAt", r.outcome,
        array(select distinct author.display_name from reported_messages x join people author on author.id = x.author_id
              where x.report_id = r.id and x.chosen and author.id <> all(${blockersOf(me)}) order by 1) as authors
      from reports r where r.reporter_id = ${me.id} ${given(cursor, ([time, id]) => sql`(r.created_at, r.id) < (${time}, ${id}::uuid)`)}
      order by r.created_at desc, r.id desc ${limit(SIZE + 1)}`,
  );
  return pageOf(rows, SIZE, (last) => cursorOf(last.createdAt, last.id));
}
