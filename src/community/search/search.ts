import { type Db, many, sql } from "#platform/database";
import { personCard, type PersonCard, prefixQuery } from "#community/common";
import { type DiscussionRow, rowsOf } from "#community/discussions";
import { blockedOf, blockersOf, NAME_WORDS } from "#community/friends";
import { type GroupCard, cardColumns as groupColumns, discussionReadable, groupsWith, groupVisible, viewersTie } from "#community/groups";
import {
  cardColumns as resourceColumns,
  keeperAndFile,
  resourcesWith,
  type ResourceCard,
  resourcesGroup,
  resourceVisible,
} from "#community/resources";
import { isSignedIn, type Viewer } from "#community/rules";

export type Found = { people: PersonCard[]; groups: GroupCard[]; discussions: DiscussionRow[]; resources: ResourceCard[] };

const EACH = 8;

/** Up to eight of each kind that the viewer may see. Any text is fine; one with no word in it finds nothing. */
export async function search(db: Db, viewer: Viewer, text: string): Promise<Found> {
  const words = prefixQuery(text);
  if (words === null) return { people: [], groups: [], discussions: [], resources: [] };
  const [people, groups, discussions, resources] = await Promise.all([
    peopleFound(db, viewer, words),
    groupsFound(db, viewer, words),
    discussionsFound(db, viewer, words),
    resourcesFound(db, viewer, words),
  ]);
  return { people, groups, discussions, resources };
}

/** People are found by members: who is in the directory, and nobody who is parted from the viewer by a block. */
async function peopleFound(db: Db, viewer: Viewer, words: string): Promise<PersonCard[]> {
  if (!isSignedIn(viewer)) return [];
  const rows = await many(
    db,
    sql<{ person: PersonCard }>`
      select ${personCard("p")} as person from people p
      where p.id = any(array(select p.id from people p where ${NAME_WORDS} @@ to_tsquery('simple', ${words}) limit 5000)) and p.state in ('active', 'limited') and p.id <> all(${blockersOf(viewer)}) and p.id <> all(${blockedOf(viewer)})
        and (p.id = ${viewer.id} or coalesce((p.privacy->>'inDirectory')::boolean, true))
      order by lower(p.display_name), p.id limit ${EACH}`,
  );
  return rows.map(({ person }) => person);
}

const groupsFound = (db: Db, viewer: Viewer, words: string) =>
  many(
    db,
    sql<GroupCard>`
      select ${groupColumns(viewer)} from groups g ${viewersTie(viewer)}
      where g.id = any(${groupsWith(words)}) and ${groupVisible}
      order by m.state = 'member' desc nulls last, g.members_count desc, g.id limit ${EACH}`,
  );

/** By title. The index discussions_words has the same expression. */
const discussionsFound = (db: Db, viewer: Viewer, words: string) =>
  rowsOf(
    db,
    viewer,
    sql`select d.* from discussions d join groups g on g.id = d.group_id ${viewersTie(viewer)}
        where d.state = 'open' and ${discussionReadable} and d.author_id <> all(${blockersOf(viewer)}) and d.author_id <> all(${blockedOf(viewer)})
          and d.id = any(array(select id from discussions where state = 'open' and to_tsvector('simple', title) @@ to_tsquery('simple', ${words}) limit 5000))
        order by d.last_post_at desc, d.id desc limit ${EACH}`,
    sql`d.last_post_at desc, d.id desc`,
  );

const resourcesFound = (db: Db, viewer: Viewer, words: string) =>
  many(
    db,
    sql<ResourceCard>`
      select ${resourceColumns(viewer)} from resources r ${resourcesGroup(viewer)} ${keeperAndFile}
      where r.state = 'published' and r.id = any(${resourcesWith(words)}) and ${resourceVisible(viewer)}
        and r.keeper_id <> all(${blockersOf(viewer)}) and r.keeper_id <> all(${blockedOf(viewer)})
      order by r.created_at desc, r.id desc limit ${EACH}`,
  );
