import { type Db, limit, many, maybeOne, sql } from "#platform/database";
import { isId } from "#platform/ids";
import { type PersonCard, personColumns } from "#community/common";
import { isSignedIn, type Viewer } from "#community/rules";
import { blockerIds, friendIds, blockedEitherWayIds } from "./block-visibility.ts";

const MAX_PHOTOS = 8;

/** Mutual friends of the viewer and a person: the first few by name, and their total. Empty for guests. */
export async function listMutualFriends(
  db: Db,
  viewer: Viewer,
  personId: string,
): Promise<{ people: PersonCard[]; count: number }> {
  if (!isSignedIn(viewer) || !isId(personId) || viewer.id === personId) return { people: [], count: 0 };
  const rows = await many(
    db,
    sql<PersonCard & { count: number }>`
      select ${personColumns("p")}, count(*) over ()::int as count
      from (${friendIds(sql`${viewer.id}::uuid`)}) mine
      join (${friendIds(sql`${personId}::uuid`)}) theirs using (id)
      join people p on p.id = mine.id and p.state in ('active', 'limited')
        and p.id <> all(${blockerIds(viewer)})
      where ${personId}::uuid <> all(${blockerIds(viewer)})
      order by lower(p.display_name), p.id
      ${limit(MAX_PHOTOS)}`,
  );
  return {
    people: rows.map(({ count: _, ...person }) => person),
    count: rows[0]?.count ?? 0,
  };
}

/**
 * Number of a person's friends. The person gets it, and signed-in people who can read the profile if the
 * person shares it (`showFriendCount`); null for others.
 */
export async function countFriends(db: Db, viewer: Viewer, personId: string): Promise<number | null> {
  if (!isSignedIn(viewer) || !isId(personId)) return null;
  const row = await maybeOne(
    db,
    sql<{ count: number }>`
      select (select count(*)::int from (${friendIds(sql`p.id`)}) f
        join people friend on friend.id = f.id and friend.state in ('active', 'limited')) as count
      from people p
      where p.id = ${personId} and (p.id = ${viewer.id} or (
        p.state in ('active', 'limited') and p.id <> all(${blockedEitherWayIds(viewer)})
          and coalesce((p.privacy->>'showFriendCount')::boolean, false)
        and (coalesce(p.privacy->>'profile', 'members') <> 'friends'
          or ${viewer.id}::uuid in (${friendIds(sql`p.id`)}))))`,
  );
  return row?.count ?? null;
}
