import { type Db, limit, many, sql } from "#platform/database";
import { isId } from "#platform/ids";
import { cursorOf, given, type Page, pageOf, readCursor } from "#community/common";
import { blockedOf, blockersOf } from "#community/friends";
import { discussionReadable, groupReadable, readsFrom, viewersTie } from "#community/groups";
import { resourcesGroup, resourceVisible } from "#community/resources";
import { isSignedIn, LIMITS, type Viewer } from "#community/rules";

const SIZE = LIMITS.page.discussions;

/** An action of a person: started a discussion, replied, added a resource, or joined a group. */
export type Deed = {
  kind: "started" | "answered" | "added" | "joined";
  at: Date;
  /** Id of the discussion, post, resource or group. */
  id: string;
  title: string;
  /** Null for site-wide content. */
  group: { slug: string; name: string } | null;
};

const place = sql`case when g.id is not null then json_build_object('slug', g.slug, 'name', g.name) end as "group"`;

type Sql = ReturnType<typeof sql>;
/**
 * SQL parts of one kind of activity; ordered by `at` and `id`. Each selects no more rows than the page needs.
 */
type Part = { kind: Deed["kind"]; at: Sql; id: Sql; title: Sql; from: Sql };

const partsFor = (viewer: Viewer, personId: string): Part[] => {
  const by = (column: Sql) =>
    sql`${column} = ${personId}::uuid and ${column} <> all(${blockersOf(viewer)}) and ${column} <> all(${blockedOf(viewer)})`;
  const started: Part = {
    kind: "started",
    at: sql`d.created_at`,
    id: sql`d.id`,
    title: sql`d.title`,
    from: sql`discussions d join groups g on g.id = d.group_id ${viewersTie(viewer)}
      where ${by(sql`d.author_id`)} and d.state in ('open', 'archived') and ${discussionReadable} and coalesce(d.created_at >= ${readsFrom("d")}, true)`,
  };
  const answered: Part = {
    kind: "answered",
    at: sql`p.created_at`,
    id: sql`p.id`,
    title: sql`d.title`,
    from: sql`posts p join discussions d on d.id = p.discussion_id join groups g on g.id = d.group_id ${viewersTie(viewer)}
      where ${by(sql`p.author_id`)} and p.number > 1 and p.state = 'published' and d.state in ('open', 'archived')
        and ${discussionReadable} and coalesce(p.created_at >= ${readsFrom("d")}, true)`,
  };
  const added: Part = {
    kind: "added",
    at: sql`r.created_at`,
    id: sql`r.id`,
    title: sql`r.title`,
    from: sql`resources r ${resourcesGroup(viewer)} where ${by(sql`r.keeper_id`)} and r.state = 'published' and ${resourceVisible(viewer)}`,
  };
  const joined: Part = {
    kind: "joined",
    at: sql`theirs.joined_at`,
    id: sql`g.id`,
    title: sql`g.name`,
    from: sql`memberships theirs join groups g on g.id = theirs.group_id ${viewersTie(viewer)}
      where ${by(sql`theirs.person_id`)} and theirs.state = 'member' and theirs.joined_at is not null and ${groupReadable}`,
  };
  // Memberships are visible to members only (`groupRules.seeMembers`).
  return isSignedIn(viewer) ? [started, answered, added, joined] : [started, answered, added];
};

/** Actions of a person that the viewer may know of, newest first. Empty across a block. */
export async function activityOf(db: Db, viewer: Viewer, personId: string, query: { after?: string }): Promise<Page<Deed>> {
  if (!isId(personId)) return { rows: [], next: null };
  const cursor = readCursor(query.after, ["time", "id"]);
  const parts = partsFor(viewer, personId).map(
    ({ kind, at, id, title, from }) => sql`
      (select ${sql.lit(kind)} as kind, ${at} as at, ${id} as id, ${title} as title, ${place} from ${from}
        ${given(cursor, ([time, last]) => sql`(${at}, ${id}) < (${time}, ${last}::uuid)`)}
        order by ${at} desc, ${id} desc ${limit(SIZE + 1)})`,
  );
  const rows = await many(
    db,
    sql<Deed>`select * from (${sql.join(parts, sql` union all `)}) deeds order by at desc, id desc ${limit(SIZE + 1)}`,
  );
  return pageOf(rows, SIZE, (last) => cursorOf(last.at, last.id));
}
