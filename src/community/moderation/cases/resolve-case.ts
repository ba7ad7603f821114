import { DAY, addMilliseconds } from "#platform/clock";
import { many, run, sql, type Tx } from "#platform/database";
import { emit } from "#platform/outbox";
import { msg } from "#platform/messages";
import { invalid, Refusal } from "#platform/refusal";
import type { z } from "zod";
import { overruleSanction, setStatus } from "#community/accounts";
import { writeAudit } from "#community/audit";
import { removeReportedPost, restoreReportedPost, unhideReviewedPost } from "#community/discussions";
import { requireSignedIn } from "#community/friends";
import { forceArchiveGroup } from "#community/groups";
import {
  removeReportedResource,
  restoreReportedResource,
  unhideReviewedResource,
} from "#community/resources";
import { accountRules, personNoteRules, reportRules, type SignedIn, type Viewer } from "#community/rules";
import { addPersonNote } from "../person-notes/person-notes.ts";
import type { Resolution } from "../report-forms.ts";
import { lockPendingReports } from "../report-locks.ts";
import {
  assertCaseOpen,
  type Case,
  findCase,
  isContentRemovable,
  listCitableRules,
  lockCase,
} from "./find-case.ts";
import type { CaseAction } from "./list-cases.ts";

type Input = z.output<typeof Resolution>;
type Decision = { outcome: "upheld" | "rejected"; action: CaseAction; answer: string };

/**
 * Decides a case with all its open reports, with a note for moderators. On request it removes the content,
 * archives the group, restricts the author or stores the note as a note on them; otherwise a hidden post or
 * resource becomes visible again. For an appeal, it restores the content or lifts the sanction, or leaves it unchanged.
 * @throws `not-found`, `not-allowed`, `invalid` on `outcome` and `reason`, `conflict` if another moderator
 * decided first or is working on it
 */
export async function resolveCase(tx: Tx, viewer: Viewer, input: Input): Promise<void> {
  const waiting = await lockPendingReports(tx, { reportId: input.caseId });
  await lockCase(tx, input.caseId);
  const it = await findCase(tx, viewer, input.caseId);
  assertCaseOpen(it);
  if (it.assignee && it.assignee.id !== viewer.id)
    throw new Refusal(
      "conflict",
      msg("{name} is working on this case. Claim it first to decide it.", { name: it.assignee.name }),
    );
  const decide = it.appeal ? decideAppeal : decideReports;
  const { outcome, action, answer } = await decide(tx, viewer, it, await citeRule(tx, viewer, it, input));
  // A note on the person is for staff: the note of the reports and the audit log are read in the group too.
  const note = action === "noted" ? "" : input.note;
  await run(
    tx,
    sql`update cases set state = ${it.appeal || outcome === "upheld" ? "resolved" : "rejected"},
      action = ${action}, rule = case when ${it.appeal}::boolean then rule else ${input.rule ?? ""} end,
      resolved_at = ${tx.now},
      resolved_by = ${viewer.id}::uuid
      where id = ${it.caseId}`,
  );
  await run(
    tx,
    sql`update reports set resolved_at = ${tx.now}, resolved_by = ${viewer.id}::uuid, outcome = ${outcome},
      note = ${note}, answer = ${answer}
        where id = any(${waiting.map(({ id }) => id)}::uuid[])`,
  );
  await writeAudit(tx, viewer, {
    act: `report.${outcome}`,
    kind: "report",
    id: it.id,
    reason: note || null,
    ...(it.groupId && {
      details: { groupId: it.groupId, action: action === "noted" ? "none" : action },
    }),
  });
  for (const { id, reporterId } of waiting)
    await emit(tx, { type: "report.resolved", reportId: id, outcome, personId: reporterId, by: viewer.id });
}

/**
 * Puts the cited rule in front of the reason. The author reads both.
 * @throws `invalid` on `rule` for a text that is not a rule in force of the group, or for staff of the community
 */
async function citeRule(tx: Tx, viewer: Viewer, it: Case, input: Input): Promise<Input> {
  const { rule = "", reason } = input;
  if (rule === "") return input;
  const { group, site } = await listCitableRules(tx, viewer, it);
  if (!group.includes(rule) && !site.includes(rule))
    throw invalid("rule", "This rule is no longer in force. Choose a rule from the list.");
  return { ...input, reason: `${rule}\n${reason}`.trim() };
}

async function decideReports(tx: Tx, viewer: Viewer, it: Case, input: Input): Promise<Decision> {
  const { outcome, reason } = input;
  if (outcome === "restored") throw invalid("outcome", "Choose a decision.");
  if (outcome === "removed") await removeReportedContent(tx, viewer, it, reason);
  else if (outcome === "archived") await archiveReportedGroup(tx, viewer, it, reason);
  else if (outcome === "limited" || outcome === "suspended")
    await restrictAuthor(tx, viewer, it, outcome, input);
  else await unhideReportedContent(tx, viewer, it);
  if (outcome === "noted") await noteOnAuthor(tx, viewer, it, input.note);
  if (outcome === "rejected") return { outcome, action: "none", answer: "" };
  return { outcome: "upheld", action: outcome === "upheld" ? "none" : outcome, answer: "" };
}

/** Stores the note of the decision as a note on the only author of the reported content. */
async function noteOnAuthor(tx: Tx, viewer: Viewer, { authors }: Case, note: string): Promise<void> {
  const [author, ...others] = authors;
  if (!author || others.length > 0 || !personNoteRules.read(viewer, author.id))
    throw new Refusal("not-allowed", "Only site moderators and admins can write notes on a person.");
  if (note.trim() === "") throw invalid("note", "Write an internal note. It is added to the person.");
  await addPersonNote(tx, viewer, { personId: author.id, body: note });
}

/** Posts of the open reports: that of the case, and those of its duplicates. */
async function listReportedPosts(tx: Tx, it: Case): Promise<string[]> {
  const rows = await many(
    tx,
    sql<{ id: string }>`select distinct post_id as id from reports
      where case_id = ${it.caseId} and resolved_at is null and post_id is not null order by 1`,
  );
  return rows.map(({ id }) => id);
}

/** Resources of the open reports that were not removed. */
async function listReportedResources(tx: Tx, it: Case): Promise<string[]> {
  const rows = await many(
    tx,
    sql<{ id: string }>`select distinct s.id from reports r join resources s on s.id = r.resource_id
      where r.case_id = ${it.caseId} and r.resolved_at is null and s.state <> 'removed' order by 1`,
  );
  return rows.map(({ id }) => id);
}

/** Shows hidden content again, also that of duplicates. */
async function unhideReportedContent(tx: Tx, viewer: Viewer, it: Case): Promise<void> {
  for (const postId of await listReportedPosts(tx, it)) await unhideReviewedPost(tx, viewer, postId);
  for (const id of await listReportedResources(tx, it)) await unhideReviewedResource(tx, viewer, id);
}

/** Removes the content, also that of duplicates. */
async function removeReportedContent(tx: Tx, viewer: Viewer, it: Case, reason: string): Promise<void> {
  if (!reportRules.takeDown(viewer, it)) throw new Refusal("not-allowed", "You cannot remove this content.");
  if (!it.place || !isContentRemovable(it.place))
    throw invalid("outcome", "The content is already gone. Decide whether the report was valid.");
  const me = requireSignedIn(viewer);
  for (const postId of await listReportedPosts(tx, it)) await removeReportedPost(tx, me, { postId, reason });
  for (const resourceId of await listReportedResources(tx, it))
    await removeReportedResource(tx, me, { resourceId, reason });
}

async function archiveReportedGroup(
  tx: Tx,
  viewer: Viewer,
  { place, canArchive }: Case,
  reason: string,
): Promise<void> {
  if (!place || !canArchive)
    throw invalid("outcome", "There is no active group to archive. Decide whether the report was valid.");
  if (reason.trim() === "")
    throw invalid("reason", "Enter a reason. Moderators of the group read it in the log.");
  await forceArchiveGroup(tx, requireSignedIn(viewer), { groupId: place.id, reason: reason.trim() });
}

/** Restricts or suspends the only author of the reported content, and removes the content if possible. */
async function restrictAuthor(
  tx: Tx,
  viewer: Viewer,
  it: Case,
  state: "limited" | "suspended",
  { reason, days }: Input,
): Promise<void> {
  const [author, ...others] = it.authors;
  if (!accountRules.moderate(viewer) || !author || others.length > 0)
    throw new Refusal("not-allowed", "You cannot restrict this account.");
  if (reason.trim() === "") throw invalid("reason", "Enter a reason. The author will read it.");
  if (it.canTakeDown) await removeReportedContent(tx, viewer, it, reason);
  await setStatus(tx, viewer, {
    personId: author.id,
    state,
    reason,
    until: days ? addMilliseconds(tx.now, days * DAY) : null,
  });
}

/** Restores the content or leaves it removed. The author receives the reason. */
async function decideAppeal(
  tx: Tx,
  viewer: Viewer,
  it: Case,
  { outcome, reason: words }: Input,
): Promise<Decision> {
  if (outcome !== "restored" && outcome !== "rejected")
    throw invalid("outcome", "Decide whether the content is restored.");
  const reason = words.trim();
  if (reason === "") throw invalid("reason", "Enter a reason. The author will read it.");
  const { place } = it;
  const me = requireSignedIn(viewer);
  if (place?.kind === "person") await decideSanctionAppeal(tx, me, it, { outcome, reason });
  else if (outcome === "restored") {
    if (!place) throw new Refusal("gone", "The removed content is no longer stored.");
    await (place.postId === null
      ? restoreReportedResource(tx, me, { resourceId: place.id, reason: words })
      : restoreReportedPost(tx, me, { postId: place.postId, reason: words }));
  }
  return outcome === "restored"
    ? { outcome: "upheld", action: "restored", answer: reason }
    : { outcome, action: "kept", answer: reason };
}

/** Lifts the sanction or leaves it unchanged; the person gets a mail. */
async function decideSanctionAppeal(
  tx: Tx,
  me: SignedIn,
  { id, place, removal }: Case,
  { outcome, reason }: { outcome: "restored" | "rejected"; reason: string },
): Promise<void> {
  if (!removal) throw new Refusal("conflict", "This restriction or suspension has already ended.");
  const personId = place!.id;
  if (outcome === "restored") await overruleSanction(tx, me, { personId, reason });
  else await emit(tx, { type: "person.appeal-declined", personId, reportId: id, by: me.id });
}
