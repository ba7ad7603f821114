import { run, sql, type Tx } from "#platform/database";
import { isAccountUnlisted } from "#community/common";
import type { GroupFacts, GroupRole } from "#community/rules";

type MembershipChange = {
  groupId: string;
  personId: string;
  state: Exclude<GroupFacts["viewerState"], null>;
  role?: GroupRole;
  answers?: { question: string; answer: string }[];
  invitedBy?: string;
  reason?: string;
  bannedUntil?: Date | null;
  /** The member leaves and asks for the removal of their content. */
  takesAlong?: boolean;
  /** The person who decided, if not the member. */
  by?: string;
};

/** Columns that clear a ban's appeal and its answer, when the ban ends. */
export const CLEARED_APPEAL = sql`appeal = '', appealed_at = null, appeal_answer = '',
  appeal_declined_at = null`;

/**
 * Sets a membership, updates the member count (without deactivated accounts), and closes requests and
 * personal invitations. The caller holds the lock on the group's row, so that counts stay correct.
 */
export async function applyMembership(tx: Tx, membershipChange: MembershipChange): Promise<void> {
  const joinedAt = membershipChange.state === "member" ? tx.now : null;
  await run(
    tx,
    sql`with before as (select count(*)::int as members from memberships
      where group_id = ${membershipChange.groupId} and person_id = ${membershipChange.personId} and state = 'member'),
        open as (select count(*)::int as accounts from people p
          where p.id = ${membershipChange.personId} and not ${isAccountUnlisted("p")}),
        ${membershipChange.state === "requested" ? sql`` : archiveDecidedRequest(tx, membershipChange)}
        ${closePersonalInvitations(tx, membershipChange)}
        now_so as (
          insert into memberships (group_id, person_id, state, role, answers, invited_by, reason,
            banned_until, banned_by, joined_at, changed_at, export_requested_at)
          values (${membershipChange.groupId}, ${membershipChange.personId}, ${membershipChange.state},
            ${membershipChange.role ?? "member"}, ${JSON.stringify(membershipChange.answers ?? [])},
            ${membershipChange.invitedBy ?? null}, ${membershipChange.reason ?? ""},
            ${membershipChange.bannedUntil ?? null},
            ${membershipChange.state === "banned" ? (membershipChange.by ?? null) : null},
            ${joinedAt}, ${tx.now}, ${membershipChange.takesAlong ? tx.now : null})
          on conflict (group_id, person_id) do update set state = excluded.state, role = excluded.role,
            changed_at = excluded.changed_at,
            reason = excluded.reason, banned_until = excluded.banned_until, banned_by = excluded.banned_by,
            ${CLEARED_APPEAL},
            export_requested_at = case
              when excluded.state <> 'member' then coalesce(excluded.export_requested_at,
                memberships.export_requested_at) end,
            pinned_at = case when excluded.state = 'member' then memberships.pinned_at end,
            joined_at = coalesce(excluded.joined_at, memberships.joined_at),
            invited_by = coalesce(excluded.invited_by, memberships.invited_by),
            answers = case when excluded.state = 'requested' then excluded.answers else memberships.answers
              end)
        update groups
        set members_count = members_count + open.accounts *
          (${membershipChange.state === "member" ? 1 : 0} - before.members)
        from before, open where id = ${membershipChange.groupId}`,
  );
}

/** Closes the personal invitation, whether the person joined or was banned. */
function closePersonalInvitations(tx: Tx, { groupId, personId, state, by }: MembershipChange) {
  if (state === "invited" || state === "requested") return sql``;
  const declinedAt = state === "refused" ? tx.now : null;
  const answer =
    state === "member"
      ? sql`uses = most_uses`
      : sql`revoked_at = ${tx.now}, revoked_by = ${by ?? personId}, declined_at = ${declinedAt}::timestamptz`;
  return sql`
  answered as (
    update group_invitations set ${answer}
    where group_id = ${groupId} and person_id = ${personId} and uses < most_uses and revoked_at is null),`;
}

/**
 * Archives a request that ends by this change. Both parts of the statement see the row as it was before the
 * change.
 */
const archiveDecidedRequest = (tx: Tx, membershipChange: MembershipChange) => sql`
  decided as (
    insert into decided_join_requests (id, group_id, person_id, asked_at, answers, outcome, reason,
      decided_at, decided_by)
    select ${tx.newId()}::uuid, group_id, person_id, changed_at, answers, ${membershipChange.state},
      ${membershipChange.reason ?? ""}, ${tx.now}, ${membershipChange.by ?? null}::uuid
    from memberships
    where group_id = ${membershipChange.groupId} and person_id = ${membershipChange.personId}
      and state = 'requested'),`;
