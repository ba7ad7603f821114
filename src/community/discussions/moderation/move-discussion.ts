import { type Db, limit, many, run, sql, type Tx } from "#platform/database";
import { emit } from "#platform/outbox";
import { Refusal } from "#platform/refusal";
import { writeAudit } from "#community/audit";
import { requireSignedIn } from "#community/friends";
import { canModerateGroup, getGroupToChange, viewerMembership } from "#community/groups";
import {
  discussionRules,
  type GroupFacts,
  groupRules,
  isSignedIn,
  type SignedIn,
  type Viewer,
  type Visibility,
} from "#community/rules";
import { getDiscussionForUpdate } from "../discussion.ts";
import { type Discussion } from "../discussion-columns.ts";
import { addActivityEntry } from "./activity-entries.ts";
import { type RequiredReasonInput, requireReason, CLEARED_PIN_COLUMNS } from "./discussion-moderation.ts";

/** A possible target group, with the facts that show who will read the moved discussion. */
export type MoveTarget = { id: string; name: string; visibility: Visibility; membersCount: number };
const MAX_TARGETS = 200;

/** Groups into which the viewer may move a discussion, by name: those they moderate. */
export const listMoveTargets = async (
  db: Db,
  viewer: Viewer,
  from: { group: { id: string } },
): Promise<MoveTarget[]> =>
  isSignedIn(viewer)
    ? many(
        db,
        sql<MoveTarget>`
          select g.id, g.name, g.visibility, g.members_count as "membersCount"
          from groups g ${viewerMembership(viewer, "g", "m")}
          where g.id <> ${from.group.id} and ${canModerateGroup(viewer, "g", "m")}
          order by lower(g.name), g.id ${limit(MAX_TARGETS)}`,
      )
    : [];

type MoveInput = RequiredReasonInput & { groupId: string; visibility: Visibility };

/**
 * Moves a discussion to another group; its address stays the same. `visibility` is the target group's
 * visibility as shown to the moderator.
 * @throws `not-found`, `not-allowed` unless the viewer moderates both groups, `conflict` if the visibility
 * has changed since or the discussion is in that group already, `invalid` on `reason`
 */
export async function moveDiscussion(tx: Tx, viewer: Viewer, input: MoveInput): Promise<void> {
  const me = requireSignedIn(viewer);
  const discussion = await getModeratedDiscussion(tx, me, input.discussionId);
  const group = await getGroupToChange(tx, me, input.groupId, "read");
  assertModerator(me, group);
  if (group.id === discussion.group.id)
    throw new Refusal("conflict", "The discussion is already in this group.");
  assertVisibilityUnchanged(group, input.visibility);
  const reason = requireReason(input);
  await run(
    tx,
    sql`update discussions set group_id = ${group.id}, ${CLEARED_PIN_COLUMNS} where id = ${discussion.id}`,
  );
  const from = discussion.group.id;
  // Start-here entries belong to the former group.
  await run(
    tx,
    sql`delete from group_start_items where discussion_id = ${discussion.id} and group_id <> ${group.id}`,
  );
  await addActivityEntry(tx, me, { discussionId: discussion.id, kind: "moved", reason, otherGroupId: from });
  for (const groupId of [from, group.id])
    await writeAudit(tx, me, {
      act: "discussion.moved",
      kind: "discussion",
      id: discussion.id,
      reason,
      details: { groupId, from, to: group.id },
    });
  await emit(tx, {
    type: "discussion.moved",
    discussionId: discussion.id,
    groupId: group.id,
    fromGroupId: from,
    by: me.id,
  });
}

/**
 * A discussion for a command that requires moderating its group.
 * @throws `not-found`, `not-allowed`
 */
export async function getModeratedDiscussion(tx: Tx, me: SignedIn, id: string): Promise<Discussion> {
  const discussion = await getDiscussionForUpdate(tx, me, id);
  if (!discussionRules.lead(me, discussion))
    throw new Refusal("not-allowed", "Only moderators of the group can do this.");
  return discussion;
}

export function assertModerator(me: SignedIn, group: GroupFacts) {
  if (!groupRules.moderate(me, group))
    throw new Refusal("not-allowed", "You can move posts only to groups that you moderate.");
}

/** Asserts that the group's visibility is the one that was shown to the moderator. */
export function assertVisibilityUnchanged(group: GroupFacts, visibility: Visibility) {
  if (group.visibility !== visibility)
    throw new Refusal("conflict", "The readers of that group have changed. Check again before you go on.");
}
