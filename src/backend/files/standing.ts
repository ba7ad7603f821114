import { type Db, many, one, run, sql, type Tx } from "#platform/database";
import { noSuchFile, notAllowed } from "./faults.ts";
import { type Act, ACTS, type Audience, type Caller, type FileRules, type Files, type Node, type Path } from "./types.ts";

type Fragment = ReturnType<typeof sql<unknown>>;
/** Per action: granted, denied, or null. */
type Said = Record<Act, boolean | null>;

/** Columns of a node, for the table under this alias. */
export const nodeColumns = (of: string) => {
  const col = (name: string) => sql.ref(`${of}.${name}`);
  return sql`${col("id")}, ${col("parent_id")} as "parentId", ${col("name")}, ${col("kind")}, ${col("owner_id")} as "ownerId",
    ${col("size")}::float8 as size, ${col("mime")}, ${col("version")}, ${col("created_at")} as "createdAt", ${col("updated_at")} as "updatedAt"`;
};

/** SQL: the grant or denial of an action at one node. Precedence: user, role, everyone; deny wins. */
export const saidAt = (isThere: Fragment, act: Act, { userId, roles }: Caller) => sql<boolean | null>`(
  select g.allowed from program_file_grants g
  where ${isThere} and g.act = ${act}
    and (g.subject = '*' or (g.kind = 'user' and g.subject = ${userId}::text) or (g.kind = 'role' and g.subject = any(${[...roles]}::text[])))
  order by case when g.subject = '*' then 2 when g.kind = 'user' then 0 else 1 end, g.allowed limit 1)`;

const saidOf = (isThere: Fragment, caller: Caller) =>
  sql`json_build_object(${sql.join(ACTS.map((act) => sql`${act}::text, ${saidAt(isThere, act, caller)}`))}) as said`;

/** A path as resolved for one caller. */
export type Place = {
  path: Path;
  /** Null at the root, and if nothing exists there. */
  node: Node | null;
  exists: boolean;
  /** How many of the names exist, and the last node among them, null at the root. */
  depth: number;
  nearest: Node | null;
  may: (act: Act) => boolean;
  /** The nearest grant or denial per action, which descendants inherit. */
  said: Said;
};

const holds = (audience: Audience, { userId }: Caller) => audience === "everybody" || (audience === "members" && userId !== null);

/**
 * The default without a grant: with open writing everyone writes; else members add anywhere, and owners
 * change what is theirs.
 */
export function byDefault(rules: FileRules, caller: Caller, act: Act, node: Node | null): boolean {
  const isTheirs = node !== null && node.ownerId !== null && node.ownerId === caller.userId;
  if (act === "READ") return isTheirs || holds(rules.readers, caller);
  if (rules.writers === "everybody" || !holds(rules.writers, caller)) return rules.writers === "everybody";
  return isTheirs || (act === "WRITE" && node?.kind !== "file");
}

/** Resolves a path. Grants and denials further down override those further up. */
export async function placeAt(db: Db, rules: FileRules, caller: Caller, path: Path): Promise<Place> {
  const names = [...path];
  const rows = await many(
    db,
    sql<Node & { said: Said }>`
      with recursive way as (
        select f.*, 1 as depth from program_files f where f.parent_id is null and f.name = ${names[0] ?? ""}
        union all
        select f.*, w.depth + 1 from way w join program_files f on f.parent_id = w.id and f.name = (${names}::text[])[w.depth + 1])
      select ${nodeColumns("way")}, ${saidOf(sql`g.file_id = way.id`, caller)} from way order by depth`,
  );
  const top = await one(db, sql<{ said: Said }>`select ${saidOf(sql`g.file_id is null`, caller)}`);
  const said = { ...top.said };
  for (const row of rows) for (const act of ACTS) said[act] = row.said[act] ?? said[act];
  const exists = rows.length === path.length;
  const nearest = rows.at(-1) ?? null;
  const node = exists ? nearest : null;
  const may = (act: Act) => caller.server || (said[act] ?? byDefault(rules, caller, act, node));
  return { path, node, exists, depth: rows.length, nearest, may, said };
}

/**
 * Resolves a path that the caller may read.
 * @throws `not-found`
 */
export async function foundAt(db: Db, rules: FileRules, caller: Caller, path: Path): Promise<Place> {
  const place = await placeAt(db, rules, caller, path);
  if (!place.exists || !place.may("READ")) throw noSuchFile(path);
  return place;
}

/** @throws `not-allowed` */
export function assertMay(place: Place, ...acts: Act[]): void {
  if (!acts.every((act) => place.may(act))) throw notAllowed(place.path);
}

/**
 * Runs a change of the tree, one at a time; each is short, since bytes are stored before. Changes of this
 * process queue here rather than in the database, where they would hold connections. `before` runs in the
 * same transaction, before the lock.
 */
export function changeTree<T>(files: Files, work: (tx: Tx) => Promise<T>, before: (tx: Tx) => Promise<void> = async () => {}): Promise<T> {
  const change = () =>
    files.inTransaction(async (tx) => {
      await before(tx);
      await run(tx, sql`select pg_advisory_xact_lock(hashtextextended('program-files', 0))`);
      return work(tx);
    });
  const done = files.turn.last.then(change);
  files.turn.last = done.catch(() => {});
  return done;
}

/**
 * SQL: `below`, the descendants of a directory (null: root), with `may`, whether the caller may do this
 * action. Without `deep` only its direct children.
 */
export function below(rules: FileRules, caller: Caller, { place, act, deep }: { place: Place; act: Act; deep: boolean }) {
  const within = place.node ? sql`f.parent_id = ${place.node.id}` : sql`f.parent_id is null`;
  const said = (of: string) => saidAt(sql`g.file_id = ${sql.ref(`${of}.id`)}`, act, caller);
  const further = sql`
    union all
    select c.*, coalesce(${said("c")}, t.said), t.depth + 1 from tree t join program_files c on c.parent_id = t.id`;
  const owner = byDefault(rules, caller, act, { ...NOBODYS, ownerId: caller.userId });
  const others = [byDefault(rules, caller, act, NOBODYS), byDefault(rules, caller, act, { ...NOBODYS, kind: "directory" })];
  return sql`
    tree as (
      select f.*, coalesce(${said("f")}, ${place.said[act]}::boolean) as said, 1 as depth from program_files f where ${within}
      ${deep ? further : sql``}),
    below as (
      select tree.*, ${caller.server}::boolean or coalesce(said,
        case when owner_id = ${caller.userId}::text then ${owner}::boolean
          when kind = 'file' then ${others[0]}::boolean else ${others[1]}::boolean end) as may
      from tree)`;
}

const NOBODYS: Node = {
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
