import { limit, many, maybeOne, sql, type Tx } from "#platform/database";
import { createExcerpt } from "#platform/markup";
import { writeAudit } from "#community/audit";
import { type PersonCard, personCard } from "#community/common";
import { requireSignedIn } from "#community/friends";
import {
  accountRules,
  type GroupRole,
  isStaff,
  LIMITS,
  personNoteRules,
  reportRules,
  type SignedIn,
  type Viewer,
} from "#community/rules";
import { concernsViewerCondition, joinReportPlaces, reportColumns, type ReportRow } from "../list-reports.ts";
import { listPersonNotes, type PersonNote } from "../person-notes/person-notes.ts";
import { listCaseModerators } from "./case-notes.ts";
import { type Case, type CitableRules, findCase, listCitableRules } from "./find-case.ts";
import { isDecisionUndone } from "./undo-decision.ts";
import { listPrecedents, type Precedent } from "./precedents.ts";

/** Maximum number of rows in each list beside a case. */
const MAX_ROWS = 10;
const MAX_ENTRIES = 200;

type CaseNote = { id: string; author: PersonCard | null; body: string; at: Date };
/** What happened to a case: an audited action, or `reported`, `guest-reported`, `flagged` and `appealed`. */
export type CaseEntry = { act: string; at: Date; by: PersonCard | null; whom: PersonCard | null };
/** An earlier sanction of the author: an audited action. */
type CaseSanction = { id: string; act: string; at: Date; by: PersonCard | null; reason: string | null };

export type CaseDetails = Case & {
  mine: boolean;
  notes: CaseNote[];
  timeline: CaseEntry[];
  /** Moderators to whom the case can be handed over, without its assignee. */
  moderators: PersonCard[];
  /** Earlier and other cases about the author, latest first, as far as the viewer may see them. */
  history: ReportRow[];
  sanctions: CaseSanction[];
  /** Notes on the authors, latest first; null for group moderators. */
  personNotes: PersonNote[] | null;
  /** The decision can be a note on the only author. */
  canNote: boolean;
  /** Open cases of the same place, which this one may be a duplicate of. */
  candidates: ReportRow[];
  precedents: Precedent[];
  /** The only author can be warned. */
  canWarn: boolean;
  /** The viewer may ban the only author from the group. */
  canBan: boolean;
  /** The viewer may restrict the author's account. */
  canRestrict: boolean;
  /** The author's account is new. */
  newAuthor: boolean;
  rules: CitableRules;
};

/**
 * A case, given its id or that of one of its reports: snapshot without pictures and links, notes, timeline,
 * and what is known about the author. The viewing is logged once per person.
 * @throws `not-found` for people who do not moderate its place, and for those involved
 */
export async function viewCase(tx: Tx, viewer: Viewer, id: string): Promise<CaseDetails> {
  const it = await findCase(tx, viewer, id);
  const me = requireSignedIn(viewer);
  await logView(tx, viewer, it);
  const author = it.authors.length === 1 ? it.authors[0]! : null;
  const facts = author && (await loadAuthor(tx, author.id));
  return {
    ...it,
    mine: it.assignee?.id === me.id,
    notes: await listNotes(tx, it),
    timeline: await listTimeline(tx, it),
    moderators: it.resolved
      ? []
      : (await listCaseModerators(tx, it.caseId)).filter(
          (person) => person.id !== it.assignee?.id && person.id !== me.id,
        ),
    history: author ? await listHistory(tx, me, it, author.id) : [],
    sanctions: author ? await listSanctions(tx, me, it, author.id) : [],
    personNotes: isStaff(viewer)
      ? await listPersonNotes(
          tx,
          viewer,
          it.authors.map((person) => person.id),
        )
      : null,
    canWarn: !it.resolved && !it.appeal && author !== null,
    canBan: author !== null && !it.appeal && (await canBanAuthor(tx, viewer, it, author.id)),
    canNote: !it.appeal && author !== null && personNoteRules.read(viewer, author.id),
    candidates: it.resolved || it.appeal || it.kind === "group" ? [] : await listCandidates(tx, me, it),
    precedents: await listPrecedents(tx, me, it),
    canRestrict: !it.resolved && !it.appeal && facts !== null && accountRules.decide(viewer, facts),
    newAuthor: facts?.trust === "new",
    rules: await listCitableRules(tx, viewer, it),
  };
}

async function logView(tx: Tx, viewer: Viewer, it: Case): Promise<void> {
  const viewed = await maybeOne(
    tx,
    sql`select from audit_events
      where object_kind = 'report' and object_id = ${it.id} and act = 'report.read'
        and actor_id = ${viewer.id}::uuid`,
  );
  if (!viewed) await writeAudit(tx, viewer, { act: "report.read", kind: "report", id: it.id });
}

/** Whether the viewer may ban the author from the group of the case, of which they are or were a member. */
async function canBanAuthor(tx: Tx, viewer: Viewer, it: Case, personId: string): Promise<boolean> {
  const author = await maybeOne(
    tx,
    sql<{ id: string; role: GroupRole | null }>`
      select person_id as id, case when state = 'member' then role end as role from memberships
      where group_id = ${it.groupId}::uuid and person_id = ${personId} and state <> 'banned'`,
  );
  return author !== undefined && reportRules.ban(viewer, it, author);
}

const loadAuthor = async (tx: Tx, personId: string) =>
  (await maybeOne(
    tx,
    sql<Pick<SignedIn, "role" | "trust">>`select site_role as role, trust from people where id = ${personId}`,
  )) ?? null;

/** People who reported or appealed before see only what came after the case was reopened. */
const sinceReopened = (it: Case, at: string) =>
  it.involvedBefore ? sql`${sql.ref(at)} >= ${it.reopenedAt ?? it.openedAt}` : sql`true`;

const listNotes = (tx: Tx, it: Case) =>
  many(
    tx,
    sql<CaseNote>`
      select n.id, n.body, n.created_at as at,
        case when author.id is not null then ${personCard("author")} end as author
      from case_notes n left join people author on author.id = n.author_id
      where n.case_id = ${it.caseId} and ${sinceReopened(it, "n.created_at")}
      order by n.created_at, n.id ${limit(MAX_ENTRIES)}`,
  );

const listTimeline = (tx: Tx, it: Case) =>
  many(
    tx,
    sql<CaseEntry>`
      select act, at, case when actor.id is not null then ${personCard("actor")} end as by,
        case when person.id is not null then ${personCard("person")} end as whom
      from (
        select id, 1 as rank, act, at, actor_id,
          case when act in ('case.handed_over', 'case.warned') then (details->>'personId')::uuid end as whom_id
        from audit_events
        where object_kind = 'case' and object_id = ${it.caseId}::text and act <> 'case.noted'
        union all
        select a.id, 1, act || case when r.appeal then '.appeal' else '' end, at, actor_id, null
        from audit_events a join reports r on r.id::text = a.object_id
        where a.object_kind = 'report' and r.case_id = ${it.caseId}
          and act not in ('report.read', 'report.address-read')
        union all
        select id, 0, case when appeal then 'appealed' when by_guest then 'guest-reported'
          when reporter_id is null then 'flagged' else 'reported' end, created_at, reporter_id, null
        from reports where case_id = ${it.caseId}) entry
      left join people actor on actor.id = entry.actor_id
      left join people person on person.id = entry.whom_id
      where ${sinceReopened(it, "entry.at")}
      order by at, rank, entry.id ${limit(MAX_ENTRIES)}`,
  );

/** Cases that the viewer may see, one report of each: all for staff, those in the case's group for others. */
async function listVisible(
  tx: Tx,
  me: SignedIn,
  it: Case,
  where: ReturnType<typeof sql>,
): Promise<ReportRow[]> {
  const rows = await many(
    tx,
    sql<ReportRow>`
      select * from (
        select distinct on (r.case_id) ${reportColumns(me)} from reports r ${joinReportPlaces(me)}
        where r.case_id <> ${it.caseId} and ${where} and not ${concernsViewerCondition(me)}
          and ${reportRules.list(me) ? sql`true` : sql`at.led and at.group_id = ${it.groupId}::uuid`}
        order by r.case_id, r.created_at desc, r.id desc) visible
      order by "createdAt" desc, id desc ${limit(MAX_ROWS)}`,
  );
  return rows.map((row) => ({ ...row, reason: createExcerpt(row.reason.replaceAll("<", "&lt;"), 160) }));
}

const listHistory = (tx: Tx, me: SignedIn, it: Case, personId: string) =>
  listVisible(
    tx,
    me,
    it,
    sql`r.id in (select id from reports where person_id = ${personId} union
      select report_id from reported_messages where author_id = ${personId} and chosen)`,
  );

const listCandidates = (tx: Tx, me: SignedIn, it: Case) =>
  listVisible(
    tx,
    me,
    it,
    sql`r.case_id in (select id from cases where state in ('open', 'in_progress') and not appeal
      and group_id is not distinct from ${it.groupId}::uuid and subject_kind <> 'group'
      order by opened_at desc, id desc ${limit(LIMITS.page.people)})`,
  );

/** Actions against the person, and warnings: in the case's group, and on their account for staff. */
const listSanctions = (tx: Tx, me: SignedIn, it: Case, personId: string) =>
  many(
    tx,
    sql<CaseSanction>`
      select a.id, a.act, a.at, a.reason, case when actor.id is not null then ${personCard("actor")} end as by
      from audit_events a left join people actor on actor.id = a.actor_id
      where not ${isDecisionUndone("a")} and ((${accountRules.moderate(me)}::boolean and a.object_kind = 'person' and a.object_id = ${personId}
          and a.act in ('person.limited', 'person.suspended', 'person.active', 'person.photo-removed',
            'person.header-removed'))
        or (a.details ? 'groupId' and a.details->>'groupId' = ${it.groupId}::text
          and a.act in ('group.removed', 'group.banned') and a.details->>'personId' = ${personId})
        or (a.act = 'case.warned' and a.details->>'personId' = ${personId}
          and (${reportRules.list(me)}::boolean or a.details->>'groupId' = ${it.groupId}::text)))
      order by a.at desc, a.id desc ${limit(MAX_ROWS)}`,
  );
