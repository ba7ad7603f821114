import { type Db, one, sql } from "#platform/database";
import { blockedOf, blockersOf } from "#community/friends";
import { viewerSince } from "#community/groups";
import { isSignedIn, type Viewer } from "#community/rules";
import { literal } from "./filter-by.ts";

/** Facts about a viewer that decide what they find: ids, and times in seconds. */
type Standing = {
  /** Groups the viewer reads completely, and groups read from their joining on. */
  groups: string[];
  since: { id: string; at: number }[];
  banned: string[];
  invited: string[];
  /** People with a block in either direction. */
  parted: string[];
  /** Groups awaiting approval: only their members know of them. */
  pending: string[];
};

/** Maximum ids in one condition; viewers with more are answered by PostgreSQL. */
const MOST = 3_000;

/**
 * The counterpart of `findableDocuments` in Typesense syntax: which groups, discussions, posts and resources
 * a viewer may find and count. Null when that would be too long.
 */
export async function scopeOf(db: Db, viewer: Viewer): Promise<{ content: string; groups: string } | null> {
  const it = await standingOf(db, viewer);
  if (Object.values(it).reduce((sum, list) => sum + list.length, 0) > MOST) return null;
  const apart = noneOf("author", it.parted);
  const read = [
    "group:=none",
    ["open:=true", noneOf("group", it.banned)].filter(Boolean).join(" && "),
    oneOf("group", it.groups),
    ...it.since.map(({ id, at }) => `(group:=${literal(id)} && said_at:>=${at})`),
  ];
  const seen = ["open:=true", ["kind:=private", noneOf("group", it.pending)].filter(Boolean).join(" && ")];
  const own = [...it.groups, ...it.since.map(({ id }) => id), ...it.invited];
  return {
    content: [`(${either(read)})`, apart].filter(Boolean).join(" && "),
    groups: `(${either([...seen, oneOf("group", own)])})`,
  };
}

const either = (parts: string[]) =>
  parts
    .filter(Boolean)
    .map((part) => (part.includes(" && ") && !part.startsWith("(") ? `(${part})` : part))
    .join(" || ");
const oneOf = (field: string, ids: string[]) => (ids.length === 0 ? "" : `${field}:=[${ids.map(literal).join(",")}]`);
const noneOf = (field: string, ids: string[]) => (ids.length === 0 ? "" : `${field}:!=[${ids.map(literal).join(",")}]`);

const PENDING = sql<string[]>`array(select id::text from groups where state = 'pending')`;

function standingOf(db: Db, viewer: Viewer): Promise<Standing> {
  if (!isSignedIn(viewer))
    return one(
      db,
      sql<Standing>`select '{}'::text[] as groups, '[]'::json as since, '{}'::text[] as banned, '{}'::text[] as invited, '{}'::text[] as parted, ${PENDING} as pending`,
    );
  const late = sql`(m.role = 'member' and ${viewerSince} is not null)`;
  return one(
    db,
    sql<Standing>`
      select coalesce(array_agg(g.id::text) filter (where m.state = 'member' and not ${late}), '{}') as groups,
        coalesce(json_agg(json_build_object('id', g.id, 'at', ceil(${viewerSince} / 1000))) filter (where m.state = 'member' and ${late}), '[]') as since,
        coalesce(array_agg(g.id::text) filter (where m.state = 'banned'), '{}') as banned,
        coalesce(array_agg(g.id::text) filter (where m.state = 'invited' and g.state <> 'pending'), '{}') as invited,
        array(select unnest(${blockersOf(viewer)} || ${blockedOf(viewer)})::text) as parted, ${PENDING} as pending
      from memberships m join groups g on g.id = m.group_id and g.state <> 'deleted'
      where m.person_id = ${viewer.id} and m.state in ('member', 'banned', 'invited')`,
  );
}
