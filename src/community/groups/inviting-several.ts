import { type Db, limit, many, sql, type Tx } from "#platform/database";
import type { z } from "zod";
import type { PersonCard } from "#community/common";
import { friendIds, signedIn } from "#community/friends";
import { type GroupFacts, groupRules, type Viewer } from "#community/rules";
import type { InviteSeveral } from "./forms.ts";
import { groupToChange } from "./group.ts";
import { inviteToGroup } from "./leading.ts";
import { canTakeOver } from "./owners.ts";
import { assertInvitationsLeft } from "./write-invitation.ts";

/** So many are offered at most; others are invited by their user names. */
const OFFERED = 200;

/** Friends of the viewer whom they can ask into a group, by name: who is not in it, asks nothing and is not asked already. Nobody for who does not invite. */
export const friendsToInvite = async (db: Db, viewer: Viewer, group: GroupFacts & { id: string }): Promise<PersonCard[]> =>
  groupRules.invite(viewer, group)
    ? many(
        db,
        sql<PersonCard>`
          select p.id, p.username, p.display_name as name, p.photo_id as "photoId" from people p
          where p.id in (${friendIds(sql`${viewer.id}::uuid`)}) and ${canTakeOver} and not exists (
            select from memberships t where t.group_id = ${group.id} and t.person_id = p.id and t.state in ('member', 'invited', 'requested', 'banned'))
          order by lower(p.display_name), p.id ${limit(OFFERED)}`,
      )
    : [];

/** Invites several at once: all of them, or nobody. Throws like `inviteToGroup`, and `too-many` for more than are left of a day. */
export async function inviteSeveral(tx: Tx, viewer: Viewer, input: z.output<typeof InviteSeveral>): Promise<void> {
  const me = signedIn(viewer);
  const chosen = [...new Set(input.personIds)];
  // The group first, as everywhere: two who wait for each other would wait for ever.
  await groupToChange(tx, me, input.groupId);
  await assertInvitationsLeft(tx, me, chosen.length);
  for (const personId of chosen) await inviteToGroup(tx, me, { groupId: input.groupId, personId });
}
