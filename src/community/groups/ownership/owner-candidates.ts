import { sql } from "#platform/database";

/** Condition: the account `p` is active or limited and can own a group. */
export const canOwnGroups = (person: string) => {
  const p = sql.ref(person);
  return sql`${p}.state in ('active', 'limited')`;
};

/** Condition: a person other than `personId` owns the group `g`, and their account is open or suspended. */
export const hasOtherOwner = (personId: string | null, group: string) => {
  const g = sql.ref(group);
  return sql<boolean>`exists (
  select from memberships o
  join people p on p.id = o.person_id and p.state in ('active', 'limited', 'suspended')
  where o.group_id = ${g}.id and o.state = 'member' and o.role = 'owner'
    and o.person_id is distinct from ${personId}::uuid)`;
};

/** Condition: the group `g` has a member other than `personId` who could own it. */
export const hasPossibleOwner = (personId: string | null, group: string) => {
  const g = sql.ref(group);
  return sql<boolean>`exists (
  select from memberships o join people p on p.id = o.person_id and ${canOwnGroups("p")}
  where o.group_id = ${g}.id and o.state = 'member' and o.person_id is distinct from ${personId}::uuid)`;
};

/** Maximum number of candidates, which limits how many member names of a secret group admins see. */
const MAX_CANDIDATES = 10;

/**
 * Candidates for the group `g`, for which an owner was requested: its moderators. If no moderator can own
 * the group, or if a member without a role made the request, members are candidates too: first the person
 * who requested, then the members who joined first.
 */
export const ownerCandidates = sql`(
  select o.person_id, o.role, o.joined_at from memberships o
  join people p on p.id = o.person_id and ${canOwnGroups("p")}
  where o.group_id = g.id and o.state = 'member' and (o.role = 'moderator' or (o.role = 'member' and (
    exists (select from memberships asks where asks.group_id = g.id and asks.person_id = g.owner_requested_by
      and asks.role = 'member')
    or not exists (select from memberships l join people p on p.id = l.person_id and ${canOwnGroups("p")}
      where l.group_id = g.id and l.state = 'member' and l.role = 'moderator'))))
  order by o.role desc, (o.person_id is not distinct from g.owner_requested_by) desc, o.joined_at, o.person_id
  limit ${MAX_CANDIDATES})`;
