import { type Db, many, sql } from "#platform/database";
import { isId } from "#platform/ids";
import type { PersonCard } from "#community/common";
import { isSignedIn, type Viewer } from "#community/rules";
import { blockersOf, friendIds } from "./sight.ts";

const FACES = 8;

/** The friends that the viewer and a person share: some of them, by name, and how many there are. Nobody for guests. */
export async function friendsInCommon(db: Db, viewer: Viewer, personId: string): Promise<{ people: PersonCard[]; count: number }> {
  if (!isSignedIn(viewer) || !isId(personId) || viewer.id === personId) return { people: [], count: 0 };
  const rows = await many(
    db,
    sql<PersonCard & { count: number }>`
      select p.id, p.username, p.display_name as name, p.photo_id as "photoId", count(*) over ()::int as count
      from (${friendIds(sql`${viewer.id}::uuid`)}) mine
      join (${friendIds(sql`${personId}::uuid`)}) theirs using (id)
      join people p on p.id = mine.id and p.state in ('active', 'limited') and p.id <> all(${blockersOf(viewer)})
      where ${personId}::uuid <> all(${blockersOf(viewer)})
      order by lower(p.display_name), p.id
      limit ${FACES}`,
  );
  return { people: rows.map(({ id, username, name, photoId }) => ({ id, username, name, photoId })), count: rows[0]?.count ?? 0 };
}
