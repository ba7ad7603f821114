import { addMilliseconds, MINUTE } from "#platform/clock";
import { maybeOne, run, sql, type Tx } from "#platform/database";
import { isId } from "#platform/ids";
import { stripMedia } from "#platform/markup";
import { type Message, msg } from "#platform/messages";
import { notFound, Refusal } from "#platform/refusal";
import { personCard, type PersonCard } from "#community/common";
import { wasDeletedWithDiscussion } from "#community/discussions";
import { requireSignedIn } from "#community/friends";
import { type ReportFacts, reportRules, SERVER_LIMITS, type Viewer } from "#community/rules";
import {
  categoryColumn,
  guestColumn,
  isSameReport,
  joinReportPlaces,
  reportColumns,
  type ReportedPlace,
  type ReportRow,
} from "../list-reports.ts";
import { listSiteRules } from "../site-rules.ts";
import { type EvidenceFile, evidenceFilesColumn } from "./evidence-files.ts";
import { actionColumn, type CaseAction, joinLatestReport } from "./list-cases.ts";

/** A case with its latest report. The other reports that are decided with it are in `also`. */
export type Case = ReportRow &
  ReportFacts & {
    kind: "post" | "messages" | "person" | "resource" | "group" | null;
    state: "open" | "in_progress" | "resolved" | "rejected";
    /** Group whose moderators decide. */
    groupId: string | null;
    assignee: PersonCard | null;
    action: CaseAction | null;
    /** Text of the rule that the decision cites, as of the time of the decision. */
    rule: string;
    /** Reason of the decision on the reports, as the author reads it. */
    decisionReason: string;
    openedAt: Date;
    reopenedAt: Date | null;
    /**
     * Whether the viewer made one of the case's reports. If so, they see only entries from after its
     * reopening.
     */
    involvedBefore: boolean;
    resolvedBy: PersonCard | null;
    note: string;
    /** The reported texts: a post with its number, other subjects under number 0. */
    messages: {
      seq: number;
      author: PersonCard | null;
      html: string;
      at: Date;
      edited: boolean;
      chosen: boolean;
      /** Pictures and files of the text, which its case keeps. */
      files: EvidenceFile[];
    }[];
    /** Other reports that are decided with this one, latest first. */
    also: (Pick<ReportRow, "id" | "reporter" | "guest" | "reason" | "category" | "law"> & { at: Date })[];
    /**
     * For an appeal: the person who removed the content or imposed the sanction, and the reason. Null once
     * the content is restored or the sanction is over.
     */
    removal: {
      by: PersonCard | null;
      reason: string;
      at: Date;
      state: "limited" | "suspended" | null;
      until: Date | null;
    } | null;
    answer: string;
    /** The post or resource is visible, and the viewer may remove it by resolving the case. */
    canTakeDown: boolean;
    /** The viewer may hide the post or resource until its author has changed it. */
    canReturn: boolean;
    /** The viewer may lock the discussion of the post, or slow it down. */
    canModerateDiscussion: boolean;
    /** The group is active, and the viewer may archive it by resolving the case. */
    canArchive: boolean;
    /** The viewer decided less than an hour ago, and the decision can be undone. */
    canUndo: boolean;
  };

/** Id of a case, given its own id or that of one of its reports. */
const caseId = (id: string) =>
  sql`coalesce((select case_id from reports where id = ${id}::uuid), ${id}::uuid)`;

/** Locks a case, so that decisions, assignments and duplicates of it run one after the other. */
export async function lockCase(tx: Tx, id: string): Promise<void> {
  if (isId(id)) await run(tx, sql`select from cases where id = ${caseId(id)} for no key update`);
}

/** Decisions since this moment can be undone. */
export const undoableSince = (now: Date): Date =>
  addMilliseconds(now, -SERVER_LIMITS.reports.undoMinutes * MINUTE);

/** Whether the subject can be removed: only posts and resources can. */
export const isContentRemovable = (target: ReportedPlace) =>
  !target.gone && (target.postId !== null || target.kind === "resource");

/**
 * Loads a case, given its id or that of one of its reports.
 * @throws `not-found` for people who do not moderate its place, and for those involved
 */
export async function findCase(tx: Tx, viewer: Viewer, id: string): Promise<Case> {
  if (viewer.id === null || !isId(id)) throw notFound();
  const me = requireSignedIn(viewer);
  const row = await maybeOne(
    tx,
    sql<Omit<Case, `can${string}`> & { isUndoStored: boolean }>`
      select ${reportColumns(me)}, r.resolved_at is not null as resolved, r.note, r.answer,
        c.subject_kind as kind, c.state, c.group_id as "groupId", ${actionColumn(me)} as action,
        c.rule, c.reason as "decisionReason", c.state_before is not null as "isUndoStored", c.opened_at as "openedAt",
        c.reopened_at as "reopenedAt",
        (select ${personCard("assignee")} from people assignee where assignee.id = c.assignee_id) as assignee,
        exists (select from reports own where own.case_id = c.id and own.reporter_id = ${me.id})
          as "involvedBefore",
        (select json_build_object('by', case when remover.id is not null then ${personCard("remover")}
          end, 'reason', x.removed_reason, 'at', x.removed_at,
           'state', x.state, 'until', x.until)
         from (select case when ${wasDeletedWithDiscussion("x", "d")} then d.deleted_by else x.removed_by
           end as removed_by,
             case when ${wasDeletedWithDiscussion("x", "d")} then d.deleted_reason else x.removed_reason
               end as removed_reason,
             case when ${wasDeletedWithDiscussion("x", "d")} then d.deleted_at else x.removed_at
               end as removed_at, null as state, null::timestamptz as until
           from posts x left join discussions d on d.id = x.discussion_id
           where x.id = r.post_id and (${wasDeletedWithDiscussion("x", "d")} or x.state = 'removed')
           union all select removed_by, removed_reason, removed_at, null, null from resources
           where id = r.resource_id and state = 'removed'
           union all select put.given_by, coalesce(under.state_reason, ''), put.since, under.state,
           under.state_until
             from sanctions put join people under on under.id = put.person_id
               where put.person_id = r.person_id and under.state in ('limited', 'suspended')) x
         left join people remover on remover.id = x.removed_by where r.appeal) as removal,
        (select ${personCard("judge")} from people judge where judge.id = r.resolved_by) as "resolvedBy",
        (select coalesce(json_agg(json_build_object(
          'id', o.id, 'reporter', case when other.id is not null then ${personCard("other")} end,
          'guest', ${guestColumn(me, "o")}, 'reason', o.reason,
          'category', ${categoryColumn("o")}, 'law', o.law, 'at', o.created_at) order by o.created_at desc, o.id), '[]')
         from reports o left join people other on other.id = o.reporter_id
           where ${isSameReport("o")} and o.id <> r.id) as also,
        (select coalesce(json_agg(json_build_object('seq', m.seq, 'html', m.body_html, 'at', m.written_at,
          'edited', m.edited_at is not null, 'chosen', m.chosen, 'files', ${evidenceFilesColumn("m")},
           'author', case when author.id is not null then ${personCard("author")} end) order by m.seq), '[]')
         from reported_messages m left join people author on author.id = m.author_id
           where m.report_id = r.id) as messages
      from cases c ${joinLatestReport} ${joinReportPlaces(me)} where c.id = ${caseId(id)}`,
  );
  if (!row || !reportRules.read(viewer, row)) throw notFound();
  const { isUndoStored, ...columns } = row;
  const canTakeDown =
    !row.appeal && row.place !== null && isContentRemovable(row.place) && reportRules.takeDown(viewer, row);
  return {
    ...columns,
    also: row.also.map((it) => ({ ...it, at: new Date(it.at) })),
    messages: row.messages.map((it) => ({ ...it, html: stripMedia(it.html), at: new Date(it.at) })),
    removal: row.removal && {
      ...row.removal,
      at: new Date(row.removal.at),
      until: row.removal.until && new Date(row.removal.until),
    },
    canTakeDown,
    canReturn: canTakeDown && row.authors.length > 0,
    canModerateDiscussion:
      !row.appeal &&
      row.place?.kind === "discussion" &&
      row.place.open &&
      reportRules.moderatePlace(viewer, row),
    canArchive: row.place !== null && row.place.active && reportRules.archive(viewer, row),
    canUndo: reportRules.undo(viewer, row) && isUndoStored && row.resolvedAt! > undoableSince(tx.now),
  };
}

/** Rules that a decision can cite. */
export type CitableRules = { group: string[]; site: string[] };

/**
 * Rules that the viewer's decision can cite: those of the case's group, and for staff those of the community.
 * The viewer has loaded the case.
 */
export async function listCitableRules(
  tx: Tx,
  viewer: Viewer,
  { groupId }: Pick<Case, "groupId">,
): Promise<CitableRules> {
  const group = await maybeOne(
    tx,
    sql<{ rules: string[] }>`select rules from groups where id = ${groupId}::uuid`,
  );
  return { group: group?.rules ?? [], site: reportRules.list(viewer) ? await listSiteRules(tx) : [] };
}

/** @throws `conflict`, which names the decision, if the case is closed */
export function assertCaseOpen(it: Case): void {
  if (it.resolved) throw new Refusal("conflict", decisionMessage(it));
}

function decisionMessage({ resolvedBy, appeal, action, outcome }: Case): Message {
  if (!resolvedBy) return "This case has already been decided.";
  const { name } = resolvedBy;
  if (action === "removed")
    return msg("{name} has already decided this case: the content was removed.", { name });
  if (action === "returned")
    return msg("{name} has already decided this case: the author was asked for changes.", { name });
  if (action === "warned")
    return msg("{name} has already decided this case: the author was warned.", { name });
  if (action === "slowed")
    return msg("{name} has already decided this case: the discussion was slowed down.", { name });
  if (action === "locked")
    return msg("{name} has already decided this case: the discussion was locked.", { name });
  if (action === "banned")
    return msg("{name} has already decided this case: the author was banned from the group.", { name });
  if (action === "archived")
    return msg("{name} has already decided this case: the group was archived.", { name });
  if (action === "limited")
    return msg("{name} has already decided this case: the account was restricted.", { name });
  if (action === "suspended")
    return msg("{name} has already decided this case: the account was suspended.", { name });
  if (appeal)
    return outcome === "upheld"
      ? msg("{name} has already decided this case: the appeal was upheld.", { name })
      : msg("{name} has already decided this case: the appeal was rejected.", { name });
  return outcome === "upheld"
    ? msg("{name} has already decided this case: the report was upheld.", { name })
    : msg("{name} has already decided this case: the report was dismissed.", { name });
}
