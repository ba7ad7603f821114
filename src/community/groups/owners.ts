import { sql } from "#platform/database";

/** The account `p` is one that somebody uses: they can take a group over. */
export const canTakeOver = sql`p.state in ('active', 'limited')`;

/** Somebody else than `personId` owns the group `g`, who is here or will be again. */
export const anotherOwns = (personId: string | null) => sql<boolean>`exists (
  select from memberships o join people p on p.id = o.person_id and p.state in ('active', 'limited', 'suspended')
  where o.group_id = g.id and o.state = 'member' and o.role = 'owner' and o.person_id is distinct from ${personId}::uuid)`;

/** There is somebody in the group `g`, beside `personId`, who can take it over. */
export const somebodyCouldOwn = (personId: string | null) => sql<boolean>`exists (
  select from memberships o join people p on p.id = o.person_id and ${canTakeOver}
  where o.group_id = g.id and o.state = 'member' and o.person_id is distinct from ${personId}::uuid)`;

/** So many are proposed at most; of a secret group the site learns no more names than it needs. */
const MOST_PROPOSED = 10;

/**
 * Who could take over the group `g`, which asks for an owner: those who moderate it, and, where none of them could or it was a member who had to ask,
 * the longest there, whoever asked among them.
 */
export const proposed = sql`(
  select o.person_id, o.role, o.joined_at from memberships o join people p on p.id = o.person_id and ${canTakeOver}
  where o.group_id = g.id and o.state = 'member' and (o.role = 'moderator' or (o.role = 'member' and (
    exists (select from memberships asks where asks.group_id = g.id and asks.person_id = g.heir_asked_by and asks.role = 'member')
    or not exists (select from memberships l join people p on p.id = l.person_id and ${canTakeOver}
      where l.group_id = g.id and l.state = 'member' and l.role = 'moderator'))))
  order by o.role desc, (o.person_id is not distinct from g.heir_asked_by) desc, o.joined_at, o.person_id limit ${MOST_PROPOSED})`;
