import { run, sql, type Tx } from "#platform/database";

/**
 * Whoever closes their account keeps their places in groups, and is none of the members whom these count, until they come back: `by` is -1
 * when they go and 1 when they come. The rows are locked in the same order, so that two of these do not wait for each other.
 */
export const countMembership = (tx: Tx, personId: string, by: 1 | -1) =>
  run(
    tx,
    sql`update groups set members_count = greatest(members_count + ${by}::int, 0) where id in (
          select g.id from groups g join memberships m on m.group_id = g.id and m.person_id = ${personId} and m.state = 'member'
          order by g.id for no key update of g)`,
  );
