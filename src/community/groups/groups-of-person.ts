import { type Db, limit, many, sql } from "#platform/database";
import { isId } from "#platform/ids";
import { encodeCursor, andIfGiven, type Page, toPage, readCursor } from "#community/common";
import { blockerIds } from "#community/friends";
import { isSignedIn, LIMITS, type Viewer } from "#community/rules";
import { groupCardColumns, type GroupCard, isGroupReadable, viewerMembership } from "./group-columns.ts";

const PAGE_SIZE = LIMITS.page.cards;

/**
 * Groups of a person whose members the viewer may see (`groupRules.seeMembers`): shared groups first, then
 * the latest active. Empty for guests.
 */
export async function listGroupsOfPerson(
  db: Db,
  viewer: Viewer,
  personId: string,
  query: { after?: string },
): Promise<Page<GroupCard>> {
  if (!isSignedIn(viewer) || !isId(personId)) return { rows: [], next: null };
  const cursor = readCursor(query.after, ["number", "time", "id"]);
  const shared = sql`(case when m.state = 'member' then 1 else 0 end)`;
  const rows = await many(
    db,
    sql<GroupCard>`
      select ${groupCardColumns(viewer, "g", "m")}
      from memberships theirs join groups g on g.id = theirs.group_id ${viewerMembership(viewer, "g", "m")}
      where theirs.person_id = ${personId}::uuid and theirs.state = 'member'
        and theirs.person_id <> all(${blockerIds(viewer)}) and ${isGroupReadable("g", "m")}
        ${andIfGiven(
          cursor,
          ([common, at, id]) => sql`(${shared}, g.last_active_at, g.id) < (${common}::int,
          ${at}, ${id}::uuid)`,
        )}
      order by ${shared} desc, g.last_active_at desc, g.id desc
      ${limit(PAGE_SIZE + 1)}`,
  );
  return toPage(rows, PAGE_SIZE, (last) =>
    encodeCursor(last.viewerState === "member" ? 1 : 0, last.lastActiveAt, last.id),
  );
}
