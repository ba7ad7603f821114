import { DAY, addMilliseconds } from "#platform/clock";
import { type Db, limit, many, maybeOne, one, run, sql, type Tx } from "#platform/database";
import { isId } from "#platform/ids";
import { emit } from "#platform/outbox";
import { invalid, notFound, Refusal } from "#platform/refusal";
import { writeAudit } from "#community/audit";
import { type PersonCard, personColumns } from "#community/common";
import { requireSignedIn } from "#community/friends";
import { type GroupFacts, groupRules, type SignedIn, type Viewer } from "#community/rules";
import { getGroupToChange } from "../group.ts";
import { canOwnGroups, ownerCandidates } from "./owner-candidates.ts";

/**
 * Days without an active owner after which moderators may request a new owner. Members may request a new
 * owner if no moderator is active either.
 */
const ABSENT_DAYS = 60;
/** Maximum number of successors in the list. Other members must become moderators first. */
const MAX_SUCCESSORS = 50;

/** Condition: a person with that role in the group `g` has an open account and was active recently. */
const isRoleActive = (role: "owner" | "moderator", now: Date) => sql<boolean>`exists (
  select from memberships o join people p on p.id = o.person_id and ${canOwnGroups("p")}
  where o.group_id = g.id and o.state = 'member' and o.role = ${role}
    and coalesce(p.seen_at, p.created_at) > ${addMilliseconds(now, -ABSENT_DAYS * DAY)})`;

const findActiveModerators = (db: Db, groupId: string, now: Date) =>
  one(
    db,
    sql<{ asked: boolean; owned: boolean; moderated: boolean }>`
      select owner_requested_at is not null as asked, ${isRoleActive("owner", now)} as owned,
        ${isRoleActive("moderator", now)} as moderated
      from groups g where id = ${groupId}`,
  );

export type OwnerRequestState = "owned" | "may-ask" | "asked";

/**
 * Returns whether the viewer may request a new owner (`may-ask`), or someone has requested one already
 * (`asked`).
 */
export async function getOwnerRequestState(
  db: Db,
  viewer: Viewer,
  group: GroupFacts & { id: string },
  now: Date,
): Promise<OwnerRequestState> {
  // Skips the query for the many viewers who could not request a new owner in any case.
  if (!groupRules.requestOwner(viewer, group, false)) return "owned";
  const { asked, owned, moderated } = await findActiveModerators(db, group.id, now);
  if (!groupRules.requestOwner(viewer, group, moderated)) return "owned";
  if (asked) return "asked";
  return owned ? "owned" : "may-ask";
}

/**
 * Successors to whom the viewer, an owner, can transfer the group: moderators first, then the members who
 * joined first. Empty for other viewers.
 */
export const listSuccessors = async (
  db: Db,
  viewer: Viewer,
  group: GroupFacts & { id: string },
): Promise<PersonCard[]> =>
  groupRules.setRole(viewer, group, { id: "" })
    ? many(
        db,
        sql<PersonCard>`
          select ${personColumns("p")} from memberships o
          join people p on p.id = o.person_id and ${canOwnGroups("p")}
          where o.group_id = ${group.id} and o.state = 'member' and o.role <> 'owner'
          order by o.role desc, o.joined_at, p.id ${limit(MAX_SUCCESSORS)}`,
      )
    : [];

/**
 * Requests a new owner from the site's admins.
 * @throws `not-found`, `not-allowed`, `conflict` while an owner is active or a request is pending
 */
export async function requestNewOwner(tx: Tx, viewer: Viewer, input: { groupId: string }): Promise<void> {
  const me = requireSignedIn(viewer);
  const group = await getGroupToChange(tx, me, input.groupId);
  const { asked, owned, moderated } = await findActiveModerators(tx, group.id, tx.now);
  if (!groupRules.requestOwner(me, group, moderated))
    throw new Refusal("not-allowed", "Only moderators of the group can ask for a new owner.");
  if (asked) throw new Refusal("conflict", "A new owner has already been requested. An admin will answer.");
  if (owned) throw new Refusal("conflict", "An owner of this group was active within the last 60 days.");
  await run(
    tx,
    sql`update groups set owner_requested_at = ${tx.now}, owner_requested_by = ${me.id}
      where id = ${group.id}`,
  );
  await writeAudit(tx, me, { act: "group.owner_requested", kind: "group", id: group.id });
  await emit(tx, { type: "group.owner_requested", groupId: group.id, by: me.id });
}

/**
 * Makes one of the candidates the owner.
 * @throws `not-allowed` for all but admins, `not-found`, `invalid`
 */
export async function appointOwner(
  tx: Tx,
  viewer: Viewer,
  input: { groupId: string; personId: string },
): Promise<void> {
  const me = await lockOwnerRequest(tx, viewer, input.groupId);
  const made = isId(input.personId)
    ? await run(
        tx,
        sql`update memberships m set role = 'owner', changed_at = ${tx.now} from groups g
            where g.id = ${input.groupId} and m.group_id = g.id and m.person_id = ${input.personId}
              and m.person_id in (select person_id from ${ownerCandidates} it)`,
      )
    : 0;
  if (made === 0) throw invalid("personId", "Choose one of the candidates.");
  await closeOwnerRequest(tx, me, input.groupId, { act: "group.owner_appointed", personId: input.personId });
  await emit(tx, { type: "group.role_changed", groupId: input.groupId, personId: input.personId, by: me.id });
}

/**
 * Declines a request for a new owner: the present owner is back or will be.
 * @throws like `appointOwner`
 */
export async function declineOwnerRequest(tx: Tx, viewer: Viewer, input: { groupId: string }): Promise<void> {
  const me = await lockOwnerRequest(tx, viewer, input.groupId);
  const { askedBy } = await one(
    tx,
    sql<{
      askedBy: string | null;
    }>`select owner_requested_by as "askedBy" from groups where id = ${input.groupId}`,
  );
  await closeOwnerRequest(tx, me, input.groupId, { act: "group.owner_request_declined", personId: null });
  await emit(tx, { type: "group.owner_request_declined", groupId: input.groupId, askedBy, by: me.id });
}

/**
 * Locks a group for which an owner is requested. An admin may decide the request without seeing more of the
 * group.
 */
async function lockOwnerRequest(tx: Tx, viewer: Viewer, groupId: string): Promise<SignedIn> {
  const me = requireSignedIn(viewer);
  if (me.role !== "admin") throw new Refusal("not-allowed", "Only admins can appoint an owner.");
  const asks =
    isId(groupId) &&
    (await maybeOne(
      tx,
      sql`select from groups where id = ${groupId} and owner_requested_at is not null and state <> 'deleted'
        for update`,
    ));
  if (!asks) throw notFound();
  return me;
}

async function closeOwnerRequest(
  tx: Tx,
  me: SignedIn,
  groupId: string,
  { act, personId }: { act: string; personId: string | null },
) {
  await run(
    tx,
    sql`update groups set owner_requested_at = null, owner_requested_by = null where id = ${groupId}`,
  );
  await writeAudit(tx, me, { act, kind: "group", id: groupId, details: { personId } });
}
