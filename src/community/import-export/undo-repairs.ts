import { many, run, sql, type Tx } from "#platform/database";
import { listPersonColumns } from "./person-columns.ts";

// Repairs content that remains after an undo and was linked to imported content.

/**
 * Repairs discussions from which posts were removed: their posts are renumbered without gaps, and a merged
 * discussion starts at its first remaining post. Discussions that are deleted anyway are skipped; one
 * without remaining posts contained only imported content.
 */
export async function repairDiscussions(tx: Tx, runId: string, discussions: string[]): Promise<void> {
  const torn = await many(
    tx,
    sql<{ id: string; posts: number; first: number | null }>`
      select d.id, count(p.id)::int as posts, min(p.number) as first from discussions d left
      join posts p on p.discussion_id = d.id
      where d.id = any(${discussions}::uuid[])
        and (not exists (select from imported_records i
          where i.local_id = d.id and i.run_id = ${runId} and i.made)
          or exists (select from imported_records o where o.local_id = d.id and o.run_id <> ${runId}))
      group by d.id having count(p.id) <> coalesce(max(p.number), -1)`,
  );
  await renumberPosts(
    tx,
    torn.map(({ id }) => id),
  );
  await updateDiscussionStart(
    tx,
    torn.filter(({ first }) => first !== null && first > 1).map(({ id }) => id),
  );
  const empty = torn.filter(({ posts }) => posts === 0).map(({ id }) => id);
  await run(
    tx,
    sql`delete from discussions d
      where id = any(${empty}::uuid[])
        and not exists (select from imported_records i where i.local_id = d.id)`,
  );
}

/** Renumbers without gaps; read positions keep pointing at the same posts. */
async function renumberPosts(tx: Tx, ids: string[]): Promise<void> {
  await run(
    tx,
    sql`update read_positions r set last_read_number =
          (select count(*) from posts p
          where p.discussion_id = r.discussion_id and p.number <= r.last_read_number)
        where discussion_id = any(${ids}::uuid[])`,
  );
  // Posts are renumbered in two steps, because two posts of a discussion may never have the same number.
  await run(
    tx,
    sql`update posts p set number = -n.place
        from (select id, row_number() over (partition by discussion_id order by number) as place from posts
          where discussion_id = any(${ids}::uuid[])) n
        where p.id = n.id`,
  );
  await run(tx, sql`update posts set number = -number where discussion_id = any(${ids}::uuid[])`);
}

/** Sets author and start of each discussion to author and time of its first post. */
export const updateDiscussionStart = (tx: Tx, ids: string[]) =>
  run(
    tx,
    sql`update discussions d set author_id = p.author_id, created_at = p.created_at
        from posts p where d.id = any(${ids}::uuid[]) and p.discussion_id = d.id and p.number = 1`,
  );

/** People whom a remaining row requires. */
export async function listReferencedPeople(tx: Tx, people: string[]): Promise<string[]> {
  const columns = (await listPersonColumns(tx)).filter(({ holds }) => holds);
  const named = columns.map(
    ({ schema, table, column }) =>
      sql`select ${sql.ref(column)} as id from ${sql.id(schema, table)}
        where ${sql.ref(column)} = any(${people}::uuid[])`,
  );
  return (await many(tx, sql<{ id: string }>`${sql.join(named, sql` union `)}`)).map(({ id }) => id);
}
