import { run, sql, type Tx } from "#platform/database";

/**
 * Adjusts the member counts of a person's groups: `by` is -1 when they deactivate their account and 1 when
 * they reactivate it. Memberships are kept. Rows are locked in id order, so that concurrent calls do not
 * deadlock.
 */
export const countMemberships = (tx: Tx, personId: string, by: 1 | -1) =>
  run(
    tx,
    sql`update groups set members_count = greatest(members_count + ${by}::int, 0) where id in (
          select g.id from groups g join memberships m on m.group_id = g.id and m.person_id = ${personId}
            and m.state = 'member'
          order by g.id for no key update of g)`,
  );
