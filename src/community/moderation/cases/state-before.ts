import { many, sql, type Tx } from "#platform/database";
import { type AnswerBefore, readAnswersBefore, restoreAnswers } from "#community/calendar";
import {
  type DiscussionControls,
  hidePostsAgain,
  type PostVisibility,
  readDiscussionControls,
  readPostVisibility,
  undoLock,
  undoPostReturns,
  undoSlowMode,
} from "#community/discussions";
import { type MembershipBefore, readMembershipBefore, undoGroupBan } from "#community/groups";
import {
  hideResourcesAgain,
  readResourceVisibility,
  type ResourceVisibility,
  undoResourceReturns,
} from "#community/resources";
import { isUndoable, type SignedIn } from "#community/rules";
import type { Case } from "./find-case.ts";

/** State that a decision changes, as it was before; stored with the case as long as the decision can be undone. */
export type StateBefore = {
  posts: PostVisibility[];
  resources: ResourceVisibility[];
  discussion?: DiscussionControls | undefined;
  membership?: MembershipBefore | undefined;
  /** Answers of the banned author to future events of the group. */
  answers?: AnswerBefore[] | undefined;
};

/**
 * Reads what a decision on the open reports is about to change; null if the decision cannot be undone. A post that
 * waits for its author is one of these: what its author wrote meanwhile ends with the decision.
 */
export async function readStateBefore(tx: Tx, it: Case, outcome: string): Promise<StateBefore | null> {
  if (it.appeal || !isUndoable(outcome)) return null;
  const subjects = await many(
    tx,
    sql<{ postId: string | null; resourceId: string | null }>`
      select distinct post_id as "postId", resource_id as "resourceId" from reports
      where case_id = ${it.caseId} and resolved_at is null`,
  );
  const posts = await readPostVisibility(
    tx,
    subjects.flatMap(({ postId }) => postId ?? []),
  );
  const resources = await readResourceVisibility(
    tx,
    subjects.flatMap(({ resourceId }) => resourceId ?? []),
  );
  if ([...posts, ...resources].some(({ returned }) => returned)) return null;
  const [author] = it.authors;
  return {
    posts,
    resources,
    ...((outcome === "locked" || outcome === "slowed") &&
      it.place?.kind === "discussion" && { discussion: await readDiscussionControls(tx, it.place.id) }),
    ...(outcome === "banned" &&
      it.groupId &&
      author && {
        membership: await readMembershipBefore(tx, { groupId: it.groupId, personId: author.id }),
        answers: await readAnswersBefore(tx, { groupId: it.groupId, personId: author.id }),
      }),
  };
}

/**
 * Reverses the measures of a decision, except for removals, and hides content again that it has shown.
 * @throws `conflict` if something has changed since
 */
export async function restoreStateBefore(
  tx: Tx,
  me: SignedIn,
  it: Pick<Case, "action">,
  { posts, resources, discussion, membership, answers = [] }: StateBefore,
  undo: { decidedAt: Date; reason: string },
): Promise<void> {
  if (it.action === "locked" && discussion) await undoLock(tx, me, { ...undo, before: discussion });
  if (it.action === "slowed" && discussion) await undoSlowMode(tx, me, { ...undo, before: discussion });
  if (it.action === "banned" && membership) {
    await undoGroupBan(tx, me, { ...undo, before: membership });
    await restoreAnswers(tx, answers);
  }
  if (it.action === "returned") {
    await undoPostReturns(tx, { ...undo, before: posts });
    await undoResourceReturns(tx, { ...undo, before: resources });
    return;
  }
  // Content that was restored or shown again by the undo or the decision has this moment.
  await hidePostsAgain(tx, { ...undo, before: posts });
  await hideResourcesAgain(tx, { ...undo, before: resources });
}
