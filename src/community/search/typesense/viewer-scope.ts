import { type Db, one, sql } from "#platform/database";
import { blockedIds, blockerIds } from "#community/friends";
import { viewerReadableSince } from "#community/groups";
import { isSignedIn, type Viewer } from "#community/rules";
import { quoteLiteral } from "./filter-translation.ts";

/** Facts that decide what a viewer can find. People and groups are ids; times are in seconds. */
type ViewerFacts = {
  /** Groups that the viewer can read completely. */
  groups: string[];
  /** Groups that the viewer can read only from the joining time `at` on. */
  since: { id: string; at: number }[];
  banned: string[];
  invited: string[];
  /** People with a block in either direction. */
  blockedEitherWay: string[];
  /** Groups awaiting approval, which only their members can find. */
  pending: string[];
};

/** Maximum number of ids in one condition. For viewers with more, PostgreSQL answers. */
const MAX_IDS = 3_000;

/**
 * The equivalent of `findableDocuments` as a Typesense filter: the groups, discussions, posts and resources
 * that a viewer may find and count. Null if the filter would be too long.
 */
export async function viewerScope(
  db: Db,
  viewer: Viewer,
): Promise<{ content: string; groups: string } | null> {
  const it = await loadViewerFacts(db, viewer);
  if (Object.values(it).reduce((sum, list) => sum + list.length, 0) > MAX_IDS) return null;
  const apart = notInList("author", it.blockedEitherWay);
  const read = [
    "group:=none",
    ["open:=true", notInList("group", it.banned)].filter(Boolean).join(" && "),
    inGroups(it.groups),
    ...it.since.map(({ id, at }) => `(group:=${quoteLiteral(id)} && written_at:>=${at})`),
  ];
  const seen = ["open:=true", ["kind:=private", notInList("group", it.pending)].filter(Boolean).join(" && ")];
  const own = [...it.groups, ...it.since.map(({ id }) => id), ...it.invited];
  return {
    content: [`(${anyCondition(read)})`, apart].filter(Boolean).join(" && "),
    groups: `(${anyCondition([...seen, inGroups(own)])})`,
  };
}

const anyCondition = (parts: string[]) =>
  parts
    .filter(Boolean)
    .map((part) => (part.includes(" && ") && !part.startsWith("(") ? `(${part})` : part))
    .join(" || ");
const inGroups = (ids: string[]) => (ids.length === 0 ? "" : `group:=[${ids.map(quoteLiteral).join(",")}]`);
const notInList = (field: string, ids: string[]) =>
  ids.length === 0 ? "" : `${field}:!=[${ids.map(quoteLiteral).join(",")}]`;

const PENDING_GROUPS = sql<string[]>`array(select id::text from groups where state = 'pending')`;

function loadViewerFacts(db: Db, viewer: Viewer): Promise<ViewerFacts> {
  if (!isSignedIn(viewer))
    return one(
      db,
      sql<ViewerFacts>`select '{}'::text[] as groups, '[]'::json as since, '{}'::text[] as banned,
        '{}'::text[] as invited, '{}'::text[] as "blockedEitherWay", ${PENDING_GROUPS} as pending`,
    );
  const late = sql`(m.role = 'member' and ${viewerReadableSince("g", "m")} is not null)`;
  return one(
    db,
    sql<ViewerFacts>`
      select coalesce(array_agg(g.id::text) filter (where m.state = 'member' and not ${late}),
        '{}') as groups,
        coalesce(json_agg(json_build_object('id', g.id, 'at', ceil(${viewerReadableSince("g", "m")} / 1000)))
          filter
          (where m.state = 'member' and ${late}), '[]') as since,
        coalesce(array_agg(g.id::text) filter (where m.state = 'banned'), '{}') as banned,
        coalesce(array_agg(g.id::text) filter (where m.state = 'invited' and g.state <> 'pending'),
          '{}') as invited,
        array(select unnest(${blockerIds(viewer)} || ${blockedIds(viewer)})::text) as "blockedEitherWay",
        ${PENDING_GROUPS} as pending
      from memberships m join groups g on g.id = m.group_id and g.state <> 'deleted'
      where m.person_id = ${viewer.id} and m.state in ('member', 'banned', 'invited')`,
  );
}
