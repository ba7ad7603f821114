import { DAY, addMilliseconds } from "#platform/clock";
import { many, one, sql, type Tx } from "#platform/database";
import { emit } from "#platform/outbox";
import { invalid, Refusal } from "#platform/refusal";
import type { z } from "zod";
import { setStatus } from "#community/accounts";
import { writeAudit } from "#community/audit";
import type { PersonCard } from "#community/common";
import {
  lockDiscussion,
  removeReportedPost,
  returnReportedPost,
  setSlowMode,
  setTimer,
  unhideReviewedPost,
} from "#community/discussions";
import { requireSignedIn } from "#community/friends";
import { banFromGroup, forceArchiveGroup } from "#community/groups";
import { removeReportedResource, returnReportedResource, unhideReviewedResource } from "#community/resources";
import { accountRules, personNoteRules, reportRules, type Viewer } from "#community/rules";
import { addPersonNote } from "../person-notes/person-notes.ts";
import type { Resolution } from "../report-forms.ts";
import { type Case, isContentRemovable } from "./find-case.ts";

/** `reason` starts with the cited rule. */
type Input = z.output<typeof Resolution>;
type Measure = (tx: Tx, viewer: Viewer, it: Case, input: Input) => Promise<void>;

/** Measure of each outcome of a decision about reports. `restored` is for appeals. */
export const CASE_MEASURES: Record<Exclude<Input["outcome"], "restored">, Measure> = {
  removed: (tx, viewer, it, { reason }) => removeReportedContent(tx, viewer, it, reason),
  archived: archiveReportedGroup,
  limited: restrictAuthor,
  suspended: restrictAuthor,
  banned: banAuthor,
  returned: returnReportedContent,
  warned: async (tx, viewer, it, input) => {
    await warnAuthor(tx, viewer, it, input);
    await unhideReportedContent(tx, viewer, it);
  },
  locked: async (tx, viewer, it, input) => {
    await lockReportedDiscussion(tx, viewer, it, input);
    await unhideReportedContent(tx, viewer, it);
  },
  slowed: async (tx, viewer, it, input) => {
    await slowReportedDiscussion(tx, viewer, it, input);
    await unhideReportedContent(tx, viewer, it);
  },
  noted: async (tx, viewer, it, input) => {
    await unhideReportedContent(tx, viewer, it);
    await noteOnAuthor(tx, viewer, it, input.note);
  },
  upheld: unhideReportedContent,
  rejected: unhideReportedContent,
};

const AUTHOR_READS = "Enter a reason. The author will read it.";

function requireReason({ reason }: Input, message = AUTHOR_READS): string {
  if (reason.trim() === "") throw invalid("reason", message);
  return reason.trim();
}

/** End of a measure that lasts for some days; undefined without an end. */
const endOf = (tx: Tx, { days }: Input): Date | undefined =>
  days ? addMilliseconds(tx.now, days * DAY) : undefined;

/** The only author of the reported content. */
const soleAuthor = ({ authors: [author, ...others] }: Case): PersonCard | null =>
  author && others.length === 0 ? author : null;

/** Stores the note of the decision as a note on the only author of the reported content. */
async function noteOnAuthor(tx: Tx, viewer: Viewer, it: Case, note: string): Promise<void> {
  const author = soleAuthor(it);
  if (!author || !personNoteRules.read(viewer, author.id))
    throw new Refusal("not-allowed", "Only site moderators and admins can write notes on a person.");
  if (note.trim() === "") throw invalid("note", "Write an internal note. It is added to the person.");
  await addPersonNote(tx, viewer, { personId: author.id, body: note });
}

/** Warns the only author of the reported content: they are notified, and later cases show the warning. */
async function warnAuthor(tx: Tx, viewer: Viewer, it: Case, input: Input): Promise<void> {
  const author = soleAuthor(it);
  if (!author) throw new Refusal("not-allowed", "Only the author of the content can be warned.");
  const reason = requireReason(input);
  await writeAudit(tx, viewer, {
    act: "case.warned",
    kind: "case",
    id: it.caseId,
    reason,
    details: { groupId: it.groupId, personId: author.id },
  });
  await notifyOfMeasure(tx, viewer, it, "warned", [author.id]);
}

/** Hides the reported content until its authors have changed it and a moderator has approved the changes. */
async function returnReportedContent(tx: Tx, viewer: Viewer, it: Case, { reason }: Input): Promise<void> {
  if (!it.canReturn) throw new Refusal("not-allowed", "You cannot ask for changes of this content.");
  const me = requireSignedIn(viewer);
  for (const postId of await listReportedPosts(tx, it)) await returnReportedPost(tx, me, { postId, reason });
  for (const resourceId of await listReportedResources(tx, it))
    await returnReportedResource(tx, me, { resourceId, reason });
}

async function lockReportedDiscussion(tx: Tx, viewer: Viewer, it: Case, input: Input): Promise<void> {
  const discussionId = requireDiscussion(it);
  const reason = requireReason(input);
  await lockDiscussion(tx, viewer, { discussionId, reason });
  const until = endOf(tx, input);
  if (until) await setTimer(tx, viewer, { discussionId, reason, timer: "open", until });
  await notifyOfMeasure(tx, viewer, it, "locked", await listDiscussionAuthors(tx, it, discussionId));
}

/** Seconds between two replies, where the decision does not name them. */
const DEFAULT_SLOW_SECONDS = 300;

async function slowReportedDiscussion(tx: Tx, viewer: Viewer, it: Case, input: Input): Promise<void> {
  const discussionId = requireDiscussion(it);
  const reason = requireReason(input);
  const seconds = input.seconds ?? DEFAULT_SLOW_SECONDS;
  await setSlowMode(tx, viewer, { discussionId, reason, seconds, until: endOf(tx, input) });
  await notifyOfMeasure(tx, viewer, it, "slowed", await listDiscussionAuthors(tx, it, discussionId));
}

function requireDiscussion({ canModerateDiscussion, place }: Case): string {
  if (!canModerateDiscussion || !place)
    throw new Refusal("not-allowed", "Only moderators of the group can lock or slow down its discussions.");
  return place.id;
}

/** Ids of the author of the discussion and of the reported post. */
async function listDiscussionAuthors(tx: Tx, { authors }: Case, discussionId: string): Promise<string[]> {
  const { authorId } = await one(
    tx,
    sql<{ authorId: string }>`select author_id as "authorId" from discussions where id = ${discussionId}`,
  );
  return [...new Set([authorId, ...authors.map(({ id }) => id)])];
}

/** Notifies people of a measure, with the rule and the reason that the case stores. */
async function notifyOfMeasure(
  tx: Tx,
  { id: by }: Viewer,
  { caseId, place }: Case,
  measure: "warned" | "locked" | "slowed",
  people: string[],
): Promise<void> {
  const [discussionId, resourceId] = [
    place?.kind === "discussion" ? place.id : null,
    place?.kind === "resource" ? place.id : null,
  ];
  for (const personId of people)
    if (personId !== by)
      await emit(tx, {
        type: "case.measure",
        caseId,
        measure,
        discussionId,
        resourceId,
        postId: place?.postId ?? null,
        personId,
        by,
      });
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
  input: Input,
): Promise<void> {
  if (!place || !canArchive)
    throw invalid("outcome", "There is no active group to archive. Decide whether the report was valid.");
  const reason = requireReason(input, "Enter a reason. Moderators of the group read it in the log.");
  await forceArchiveGroup(tx, requireSignedIn(viewer), { groupId: place.id, reason });
}

/** Restricts or suspends the only author of the reported content, and removes the content if possible. */
async function restrictAuthor(tx: Tx, viewer: Viewer, it: Case, input: Input): Promise<void> {
  const author = soleAuthor(it);
  if (!accountRules.moderate(viewer) || !author)
    throw new Refusal("not-allowed", "You cannot restrict this account.");
  requireReason(input);
  const { reason } = input;
  if (it.canTakeDown) await removeReportedContent(tx, viewer, it, reason);
  await setStatus(tx, viewer, {
    personId: author.id,
    state: input.outcome === "limited" ? "limited" : "suspended",
    reason,
    until: endOf(tx, input) ?? null,
  });
}

/** Bans the only author of the reported content from the group, and removes the content if possible. */
async function banAuthor(tx: Tx, viewer: Viewer, it: Case, input: Input): Promise<void> {
  const author = soleAuthor(it);
  if (!it.groupId || !author) throw new Refusal("not-allowed", "You cannot ban this person from a group.");
  const reason = requireReason(input);
  if (it.canTakeDown) await removeReportedContent(tx, viewer, it, reason);
  await banFromGroup(tx, viewer, { groupId: it.groupId, personId: author.id, reason, days: input.days });
}
