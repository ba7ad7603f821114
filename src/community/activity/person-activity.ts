import { type Db, limit, many, sql } from "#platform/database";
import { isId } from "#platform/ids";
import { encodeCursor, andIfGiven, type Page, toPage, readCursor } from "#community/common";
import { blockedIds, blockerIds } from "#community/friends";
import {
  isDiscussionReadable,
  isGroupReadable,
  contentReadableSince,
  viewerMembership,
} from "#community/groups";
import { joinResourceGroup, isResourceVisible } from "#community/resources";
import { isSignedIn, LIMITS, type Viewer } from "#community/rules";

const PAGE_SIZE = LIMITS.page.discussions;

/** An action of a person: started a discussion, replied, added a resource, or joined a group. */
export type Activity = {
  kind: "started" | "answered" | "added" | "joined";
  at: Date;
  /** Id of the discussion, post, resource or group. */
  id: string;
  title: string;
  /** Null for groups. */
  language: string | null;
  /** Null for site-wide content. */
  group: { slug: string; name: string } | null;
};

const groupColumn = sql`case when g.id is not null then json_build_object('slug', g.slug, 'name', g.name)
  end as "group"`;

type Sql = ReturnType<typeof sql>;
/**
 * SQL parts of one kind of activity, ordered by `at` and `id`. Each part selects no more rows than the page
 * needs.
 */
type ActivityPart = { kind: Activity["kind"]; at: Sql; id: Sql; title: Sql; language: Sql; from: Sql };

const activityParts = (viewer: Viewer, personId: string): ActivityPart[] => {
  const by = (column: Sql) =>
    sql`${column} = ${personId}::uuid and ${column} <> all(${blockerIds(viewer)})
      and ${column} <> all(${blockedIds(viewer)})`;
  const started: ActivityPart = {
    kind: "started",
    at: sql`d.created_at`,
    id: sql`d.id`,
    title: sql`d.title`,
    language: sql`d.language`,
    from: sql`discussions d join groups g on g.id = d.group_id ${viewerMembership(viewer, "g", "m")}
      where ${by(sql`d.author_id`)} and d.state in ('open', 'archived')
        and ${isDiscussionReadable("d", "g", "m")}
        and coalesce(d.created_at >= ${contentReadableSince("d", "g", "m")}, true)`,
  };
  const answered: ActivityPart = {
    kind: "answered",
    at: sql`p.created_at`,
    id: sql`p.id`,
    title: sql`d.title`,
    language: sql`d.language`,
    from: sql`posts p join discussions d on d.id = p.discussion_id
      join groups g on g.id = d.group_id ${viewerMembership(viewer, "g", "m")}
      where ${by(sql`p.author_id`)} and p.number > 1 and p.state = 'published'
        and d.state in ('open', 'archived')
        and ${isDiscussionReadable("d", "g", "m")}
        and coalesce(p.created_at >= ${contentReadableSince("d", "g", "m")}, true)`,
  };
  const added: ActivityPart = {
    kind: "added",
    at: sql`r.created_at`,
    id: sql`r.id`,
    title: sql`r.title`,
    language: sql`r.language`,
    from: sql`resources r ${joinResourceGroup(viewer, "r", "g", "m")}
      where ${by(sql`r.owner_id`)} and r.state = 'published' and ${isResourceVisible(viewer, "r", "g", "m")}`,
  };
  const joined: ActivityPart = {
    kind: "joined",
    at: sql`theirs.joined_at`,
    id: sql`g.id`,
    title: sql`g.name`,
    language: sql`null::text`,
    from: sql`memberships theirs join groups g on g.id = theirs.group_id ${viewerMembership(viewer, "g", "m")}
      where ${by(sql`theirs.person_id`)} and theirs.state = 'member' and theirs.joined_at is not null
        and ${isGroupReadable("g", "m")}`,
  };
  // Memberships are visible to members only (`groupRules.seeMembers`).
  return isSignedIn(viewer) ? [started, answered, added, joined] : [started, answered, added];
};

/** Activities of a person that the viewer may see, newest first. Empty if either has blocked the other. */
export async function listActivity(
  db: Db,
  viewer: Viewer,
  personId: string,
  query: { after?: string },
): Promise<Page<Activity>> {
  if (!isId(personId)) return { rows: [], next: null };
  const cursor = readCursor(query.after, ["time", "id"]);
  const parts = activityParts(viewer, personId).map(
    ({ kind, at, id, title, language, from }) => sql`
      (select ${sql.lit(kind)} as kind, ${at} as at, ${id} as id, ${title} as title,
        ${language} as language, ${groupColumn}
      from ${from}
        ${andIfGiven(cursor, ([time, last]) => sql`(${at}, ${id}) < (${time}, ${last}::uuid)`)}
        order by ${at} desc, ${id} desc ${limit(PAGE_SIZE + 1)})`,
  );
  const rows = await many(
    db,
    sql<Activity>`select * from (${sql.join(parts, sql` union all `)}) deeds
      order by at desc, id desc ${limit(PAGE_SIZE + 1)}`,
  );
  return toPage(rows, PAGE_SIZE, (last) => encodeCursor(last.at, last.id));
}
