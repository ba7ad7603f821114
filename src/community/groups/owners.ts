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
