import { type Db, limit, many, sql, type Tx } from "#platform/database";
import type { z } from "zod";
import { type PersonCard, personColumns } from "#community/common";
import { friendIds, requireSignedIn } from "#community/friends";
import { type GroupFacts, groupRules, type Viewer } from "#community/rules";
import type { InviteSeveral } from "../group-forms.ts";
import { getGroupToChange } from "../group.ts";
import { inviteToGroup } from "../memberships/join-requests.ts";
import { canOwnGroups } from "../ownership/owner-candidates.ts";
import { assertInvitationLimit } from "./insert-invitation.ts";

/** Maximum number of friends in the list. Others can be invited by username. */
const MAX_OFFERED = 200;

/**
 * Friends whom the viewer can invite, by name: they are not members and have no pending request or
 * invitation. Empty for viewers who may not invite.
 */
export const listFriendsToInvite = async (
  db: Db,
  viewer: Viewer,
  group: GroupFacts & { id: string },
): Promise<PersonCard[]> =>
  groupRules.invite(viewer, group)
    ? many(
        db,
        sql<PersonCard>`
          select ${personColumns("p")} from people p
          where p.id in (${friendIds(sql`${viewer.id}::uuid`)}) and ${canOwnGroups("p")} and not exists (
            select from memberships t
            where t.group_id = ${group.id} and t.person_id = p.id
              and t.state in ('member', 'invited', 'requested', 'banned'))
          order by lower(p.display_name), p.id ${limit(MAX_OFFERED)}`,
      )
    : [];

/**
 * Invites several people; if one of them cannot be invited, no one is invited.
 * @throws like `inviteToGroup`, `too-many` when the daily limit is too low for all of them
 */
export async function inviteSeveral(
  tx: Tx,
  viewer: Viewer,
  input: z.output<typeof InviteSeveral>,
): Promise<void> {
  const me = requireSignedIn(viewer);
  const chosen = [...new Set(input.personIds)];
  // The group is locked first, as everywhere, to avoid deadlocks.
  await getGroupToChange(tx, me, input.groupId);
  await assertInvitationLimit(tx, me, chosen.length);
  for (const personId of chosen) await inviteToGroup(tx, me, { groupId: input.groupId, personId });
}
