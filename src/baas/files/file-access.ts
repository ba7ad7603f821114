import { type Db, many, one, run, sql, type Tx } from "#platform/database";
import { fileNotFound, notAllowed } from "./file-errors.ts";
import {
  type FileAction,
  FILE_ACTIONS,
  type Audience,
  type Caller,
  type FileRules,
  type Files,
  type FileNode,
  type FilePath,
} from "./types.ts";

type Fragment = ReturnType<typeof sql<unknown>>;
/** For each action: granted, denied, or null if there is neither. */
type ActionGrants = Record<FileAction, boolean | null>;

/** SQL for the columns of a node in the table under this alias. */
export const nodeColumns = (of: string) => {
  const col = (name: string) => sql.ref(`${of}.${name}`);
  return sql`${col("id")}, ${col("parent_id")} as "parentId", ${col("name")}, ${col("kind")},
    ${col("owner_id")} as "ownerId",
    ${col("size")}::float8 as size, ${col("mime")}, ${col("version")}, ${col("created_at")} as "createdAt",
    ${col("updated_at")} as "updatedAt"`;
};

/**
 * SQL that returns the grant or denial of an action at one node. Precedence: user, role, everyone; deny
 * wins.
 */
export const nodeGrantSql = (isThere: Fragment, action: FileAction, { userId, roles }: Caller) => sql<
  boolean | null
>`(
  select g.allowed from api_file_grants g
  where ${isThere} and g.act = ${action}
    and (g.subject = '*' or (g.kind = 'user' and g.subject = ${userId}::text)
      or (g.kind = 'role' and g.subject = any(${[...roles]}::text[])))
  order by case when g.subject = '*' then 2 when g.kind = 'user' then 0 else 1 end, g.allowed limit 1)`;

const grantsAt = (isThere: Fragment, caller: Caller) =>
  sql`json_build_object(${sql.join(
    FILE_ACTIONS.map(
      (act) => sql`${act}::text,
    ${nodeGrantSql(isThere, act, caller)}`,
    ),
  )}) as grants`;

/** A path as resolved for a caller. */
export type ResolvedPath = {
  path: FilePath;
  /** The file or directory; null at the root, and if nothing exists at the path. */
  node: FileNode | null;
  exists: boolean;
  /** `depth`: how many names of the path exist. `nearest`: the last existing node, null at the root. */
  depth: number;
  nearest: FileNode | null;
  isAllowed: (action: FileAction) => boolean;
  /** The nearest grant or denial of each action, at the path or above it; nodes below inherit it. */
  grants: ActionGrants;
};

const includesCaller = (audience: Audience, { userId }: Caller) =>
  audience === "everybody" || (audience === "members" && userId !== null);

/**
 * Whether an action is allowed if no grant applies. READ: for the readers in `rules`, and for the owner.
 * Other actions: all of them if everyone may write; otherwise writers may add files anywhere and change
 * their own.
 */
export function isAllowedByDefault(
  rules: FileRules,
  caller: Caller,
  action: FileAction,
  node: FileNode | null,
): boolean {
  const isTheirs = node !== null && node.ownerId !== null && node.ownerId === caller.userId;
  if (action === "READ") return isTheirs || includesCaller(rules.readers, caller);
  if (rules.writers === "everybody" || !includesCaller(rules.writers, caller))
    return rules.writers === "everybody";
  return isTheirs || (action === "WRITE" && node?.kind !== "file");
}

/** Resolves a path. A grant or denial further down overrides those further up. */
export async function resolvePath(
  db: Db,
  rules: FileRules,
  caller: Caller,
  path: FilePath,
): Promise<ResolvedPath> {
  const names = [...path];
  const rows = await many(
    db,
    sql<FileNode & { grants: ActionGrants }>`
      with recursive way as (
        select f.*, 1 as depth from api_files f where f.parent_id is null and f.name = ${names[0] ?? ""}
        union all
        select f.*, w.depth + 1 from way w
        join api_files f on f.parent_id = w.id and f.name = (${names}::text[])[w.depth + 1])
      select ${nodeColumns("way")}, ${grantsAt(sql`g.file_id = way.id`, caller)} from way order by depth`,
  );
  const top = await one(
    db,
    sql<{ grants: ActionGrants }>`select ${grantsAt(sql`g.file_id is null`, caller)}`,
  );
  const grants = { ...top.grants };
  for (const row of rows) for (const act of FILE_ACTIONS) grants[act] = row.grants[act] ?? grants[act];
  const exists = rows.length === path.length;
  const nearest = rows.at(-1) ?? null;
  const node = exists ? nearest : null;
  const isAllowed = (action: FileAction) =>
    caller.server || (grants[action] ?? isAllowedByDefault(rules, caller, action, node));
  return { path, node, exists, depth: rows.length, nearest, isAllowed, grants };
}

/**
 * Resolves a path that the caller may read.
 * @throws `not-found`
 */
export async function resolveReadablePath(
  db: Db,
  rules: FileRules,
  caller: Caller,
  path: FilePath,
): Promise<ResolvedPath> {
  const resolved = await resolvePath(db, rules, caller, path);
  if (!resolved.exists || !resolved.isAllowed("READ")) throw fileNotFound(path);
  return resolved;
}

/**
 * Checks that all these actions are allowed.
 * @throws `not-allowed`
 */
export function assertAllowed(path: ResolvedPath, ...acts: FileAction[]): void {
  if (!acts.every((act) => path.isAllowed(act))) throw notAllowed(path.path);
}

/**
 * Runs a change of the file tree. Changes run one at a time; each is short, because bytes are stored before.
 * Changes of this process wait in a queue of their own, since waiting in the database would occupy
 * connections. `before` runs in the same transaction, before the lock.
 */
export function changeTree<T>(
  files: Files,
  work: (tx: Tx) => Promise<T>,
  before: (tx: Tx) => Promise<void> = async () => {},
): Promise<T> {
  return files.queue.run("tree", () =>
    files.inTransaction(async (tx) => {
      await before(tx);
      await run(tx, sql`select pg_advisory_xact_lock(hashtextextended('program-files', 0))`);
      return work(tx);
    }),
  );
}

/**
 * SQL for a table `below` with the descendants of a directory (null: the root), whose column `may` says
 * whether the caller may perform the action. Without `deep` it has only direct children.
 */
export function descendantsSql(
  rules: FileRules,
  caller: Caller,
  { resolved: path, act, deep }: { resolved: ResolvedPath; act: FileAction; deep: boolean },
) {
  const within = path.node ? sql`f.parent_id = ${path.node.id}` : sql`f.parent_id is null`;
  const said = (of: string) => nodeGrantSql(sql`g.file_id = ${sql.ref(`${of}.id`)}`, act, caller);
  const further = sql`
    union all
    select c.*, coalesce(${said("c")}, t.said), t.depth + 1 from tree t
    join api_files c on c.parent_id = t.id`;
  const owner = isAllowedByDefault(rules, caller, act, { ...UNOWNED_NODE, ownerId: caller.userId });
  const others = [
    isAllowedByDefault(rules, caller, act, UNOWNED_NODE),
    isAllowedByDefault(rules, caller, act, { ...UNOWNED_NODE, kind: "directory" }),
  ];
  return sql`
    tree as (
      select f.*, coalesce(${said("f")}, ${path.grants[act]}::boolean) as said, 1 as depth from api_files f
      where ${within}
      ${deep ? further : sql``}),
    below as (
      select tree.*, ${caller.server}::boolean or coalesce(said,
        case when owner_id = ${caller.userId}::text then ${owner}::boolean
          when kind = 'file' then ${others[0]}::boolean else ${others[1]}::boolean end) as may
      from tree)`;
}

const UNOWNED_NODE: FileNode = {
  id: "",
  parentId: null,
  name: "",
  kind: "file",
  ownerId: null,
  size: 0,
  mime: "",
  version: "",
  createdAt: new Date(0),
  updatedAt: new Date(0),
};
