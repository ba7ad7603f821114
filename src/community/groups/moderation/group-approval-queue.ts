import { type Db, many, maybeOne, run, sql, type Tx } from "#platform/database";
import { isId } from "#platform/ids";
import { emit } from "#platform/outbox";
import { notFound, Refusal } from "#platform/refusal";
import type { z } from "zod";
import { writeAudit } from "#community/audit";
import { personCard, type PersonCard } from "#community/common";
import { requireSignedIn } from "#community/friends";
import {
  type GroupRole,
  isStaff,
  type JoinPolicy,
  type SignedIn,
  type Viewer,
  type Visibility,
} from "#community/rules";
import type { GroupDecline } from "../group-forms.ts";
import { ownerCandidates } from "../ownership/owner-candidates.ts";

/** A new member's group that waits for approval. */
export type PendingGroup = {
  id: string;
  name: string;
  purpose: string;
  visibility: Visibility;
  joinPolicy: JoinPolicy;
  rules: string[];
  owner: PersonCard;
  createdAt: Date;
};
/** A group without an active owner. Staff see only its name, who requested an owner, and the candidates. */
export type OrphanedGroup = {
  id: string;
  name: string;
  askedBy: PersonCard | null;
  askedAt: Date;
  /** Moderators first, then other members, each ordered by when they joined. */
  proposed: (PersonCard & { role: GroupRole })[];
  ownersSeenAt: Date | null;
};

/**
 * Condition: the group `g` is waiting for approval by staff. A declined group is waiting for its owner and
 * does not count.
 */
export const isGroupPendingApproval = (group: string) => {
  const g = sql.ref(group);
  return sql<boolean>`(${g}.state = 'pending' and exists (
  select from memberships o where o.group_id = ${g}.id and o.role = 'owner' and o.state = 'member'
    and o.reason = ''))`;
};
/** Condition: a new owner was requested for the group `g`. */
export const isOwnerRequested = (group: string) => {
  const g = sql.ref(group);
  return sql<boolean>`(${g}.owner_requested_at is not null and ${g}.state <> 'deleted')`;
};

/**
 * Groups that need a decision, those waiting longest first: for staff, pending groups; for admins, also
 * groups without an owner.
 * @throws `not-allowed` for others
 */
export async function getGroupApprovalQueue(
  db: Db,
  viewer: Viewer,
): Promise<{ pending: PendingGroup[]; orphaned: OrphanedGroup[] }> {
  if (!isStaff(viewer)) throw new Refusal("not-allowed", "Only staff can see the approval queue.");
  const [pending, orphaned] = await Promise.all([
    many(
      db,
      sql<PendingGroup>`
        select g.id, g.name, g.purpose, g.visibility, g.join_policy as "joinPolicy", g.rules,
          g.created_at as "createdAt", ${personCard("p")} as owner
        from groups g join memberships m on m.group_id = g.id and m.role = 'owner' and m.state = 'member'
          and m.reason = '' join people p on p.id = m.person_id
        where g.state = 'pending' order by g.created_at, g.id limit 100`,
    ),
    viewer.role === "admin" ? many(db, orphanedGroupsQuery) : [],
  ]);
  return { pending, orphaned };
}

const orphanedGroupsQuery = sql<OrphanedGroup>`
  select g.id, g.name, g.owner_requested_at as "askedAt", case when p.id is not null then ${personCard("p")}
    end as "askedBy",
    (select coalesce(json_agg((${personCard("q")})::jsonb || jsonb_build_object('role', it.role)
      order by it.role desc, it.joined_at, q.id), '[]')
     from ${ownerCandidates} it join people q on q.id = it.person_id) as proposed,
    (select max(q.seen_at) from memberships l join people q on q.id = l.person_id
      where l.group_id = g.id and l.state = 'member' and l.role = 'owner') as "ownersSeenAt"
  from groups g left join people p on p.id = g.owner_requested_by
  where ${isOwnerRequested("g")} order by g.owner_requested_at, g.id limit 100`;

/**
 * Subquery: ids of at most 100 groups in this viewer's approval queue; empty for people who are not staff.
 */
export const approvalQueueGroupIds = (viewer: SignedIn) => sql`
  select g.id from groups g where ${isStaff(viewer)}::boolean
    and (${isGroupPendingApproval("g")} or (${viewer.role === "admin"}::boolean and ${isOwnerRequested("g")}))
    limit 100`;

/**
 * Approves a pending group.
 * @throws `not-allowed` for all but staff, `not-found` for a group that is not pending
 */
export async function approvePendingGroup(tx: Tx, viewer: Viewer, input: { groupId: string }): Promise<void> {
  const me = await requireDecidingStaff(tx, viewer, input.groupId);
  await run(
    tx,
    sql`update groups set state = 'active', last_active_at = ${tx.now} where id = ${input.groupId}`,
  );
  await writeAudit(tx, me, { act: "group.approved", kind: "group", id: input.groupId });
  await emit(tx, { type: "group.approved", groupId: input.groupId, by: me.id });
}

/**
 * Declines a pending group and notifies its owner of the reason. The group returns to the queue when the
 * owner changes it.
 * @throws like `approvePendingGroup`
 */
export async function declinePendingGroup(
  tx: Tx,
  viewer: Viewer,
  input: z.output<typeof GroupDecline>,
): Promise<void> {
  const me = await requireDecidingStaff(tx, viewer, input.groupId);
  await run(
    tx,
    sql`update memberships set reason = ${input.reason}, changed_at = ${tx.now}
      where group_id = ${input.groupId} and role = 'owner' and state = 'member'`,
  );
  await writeAudit(tx, me, {
    act: "group.rejected",
    kind: "group",
    id: input.groupId,
    reason: input.reason,
  });
  await emit(tx, { type: "group.rejected", groupId: input.groupId, by: me.id });
}

async function requireDecidingStaff(tx: Tx, viewer: Viewer, groupId: string): Promise<SignedIn> {
  const me = requireSignedIn(viewer);
  if (!isStaff(me)) throw new Refusal("not-allowed", "Only staff can approve groups.");
  const waits =
    isId(groupId) &&
    (await maybeOne(tx, sql`select from groups where id = ${groupId} and state = 'pending' for update`));
  if (!waits) throw notFound();
  return me;
}
