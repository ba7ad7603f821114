import { type Db, limit, many, sql } from "#platform/database";
import { isId } from "#platform/ids";
import { cursorOf, given, type Page, pageOf, readCursor } from "#community/common";
import { blockersOf } from "#community/friends";
import { isSignedIn, LIMITS, type Viewer } from "#community/rules";
import { cardColumns, type GroupCard } from "./cards.ts";
import { groupReadable, viewersTie } from "./sight.ts";

const SIZE = LIMITS.page.cards;

/**
 * Groups of a person whose members the viewer may see (`groupRules.seeMembers`): shared ones first, then the
 * latest active. Empty for guests.
 */
export async function groupsOf(db: Db, viewer: Viewer, personId: string, query: { after?: string }): Promise<Page<GroupCard>> {
  if (!isSignedIn(viewer) || !isId(personId)) return { rows: [], next: null };
  const cursor = readCursor(query.after, ["number", "time", "id"]);
  const shared = sql`(case when m.state = 'member' then 1 else 0 end)`;
  const rows = await many(
    db,
    sql<GroupCard>`
      select ${cardColumns(viewer)}
      from memberships theirs join groups g on g.id = theirs.group_id ${viewersTie(viewer)}
      where theirs.person_id = ${personId}::uuid and theirs.state = 'member' and theirs.person_id <> all(${blockersOf(viewer)}) and ${groupReadable}
        ${given(cursor, ([common, at, id]) => sql`(${shared}, g.last_active_at, g.id) < (${common}::int, ${at}, ${id}::uuid)`)}
      order by ${shared} desc, g.last_active_at desc, g.id desc
      ${limit(SIZE + 1)}`,
  );
  return pageOf(rows, SIZE, (last) => cursorOf(last.viewerState === "member" ? 1 : 0, last.lastActiveAt, last.id));
}
