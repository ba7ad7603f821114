import { type Db, limit, many, sql } from "#platform/database";
import { Refusal } from "#platform/refusal";
import { encodeCursor, andIfGiven, type Page, toPage, type PersonCard, readCursor } from "#community/common";
import { visiblePersonCard } from "#community/friends";
import { type GroupFacts, groupRules, LIMITS, type Viewer } from "#community/rules";

export type Invitation = {
  id: string;
  kind: "person" | "address" | "link";
  /** The invited person, for an invitation by name. */
  person: PersonCard | null;
  /** Membership status of the invited person. */
  personState: GroupFacts["viewerState"];
  email: string | null;
  entry: "join" | "ask";
  by: PersonCard | null;
  madeAt: Date;
  expiresAt: Date;
  uses: number;
  mostUses: number;
  /** An invitation by link or email is also `revoked` while the inviter is not a member. */
  state: "open" | "used" | "expired" | "revoked" | "declined";
};

/**
 * Invitations to a group, latest first: the viewer's own, or all of them for moderators.
 * @throws `not-allowed` for viewers who may not invite
 */
export async function listInvitations(
  db: Db,
  viewer: Viewer,
  group: GroupFacts & { id: string },
  query: { after?: string; now: Date },
): Promise<Page<Invitation>> {
  const all = groupRules.approveMembers(viewer, group);
  if (!all && !groupRules.invite(viewer, group))
    throw new Refusal("not-allowed", "You cannot invite people to this group.");
  const cursor = readCursor(query.after, ["time", "id"]);
  const rows = await many(
    db,
    sql<Invitation>`
      select i.id, i.kind, ${visiblePersonCard(viewer, "whom", all)} as person, m.state as "personState",
        i.email, i.entry, ${visiblePersonCard(viewer, "maker", all)} as by,
        i.created_at as "madeAt", i.expires_at as "expiresAt", i.uses, i.most_uses as "mostUses",
        ${invitationState(query.now, "i")} as state
      from group_invitations i
      left join people whom on whom.id = i.person_id
      left join memberships m on m.group_id = i.group_id and m.person_id = i.person_id
      left join people maker on maker.id = i.created_by
      where i.group_id = ${group.id} ${all ? sql`` : sql`and i.created_by = ${viewer.id}`}
        ${andIfGiven(cursor, ([at, id]) => sql`(i.created_at, i.id) < (${at}, ${id}::uuid)`)}
      order by i.created_at desc, i.id desc ${limit(LIMITS.page.people + 1)}`,
  );
  return toPage(rows, LIMITS.page.people, (last) => encodeCursor(last.madeAt, last.id));
}

/** Condition: the inviter of the invitation `i` is still a member. */
const isInviterMember = (invitation: string) => {
  const i = sql.ref(invitation);
  return sql<boolean>`exists (
  select from memberships tie
  join people maker on maker.id = tie.person_id and maker.state in ('active', 'limited')
  where tie.group_id = ${i}.group_id and tie.person_id = ${i}.created_by and tie.state = 'member')`;
};

/**
 * State of the invitation `i`. An invitation by name remains valid when the inviter leaves; it ends if the
 * inviter is removed.
 */
export const invitationState = (now: Date, invitation: string) => {
  const i = sql.ref(invitation);
  return sql<Invitation["state"]>`
  case when ${i}.declined_at is not null then 'declined' when ${i}.revoked_at is not null then 'revoked'
    when ${i}.uses >= ${i}.most_uses then 'used'
    when ${i}.expires_at <= ${now} then 'expired' when ${i}.kind <> 'person'
    and not ${isInviterMember(invitation)} then 'revoked' else 'open' end`;
};
