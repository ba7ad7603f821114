import { limit, many, one, run, sql, type Tx } from "#platform/database";
import { msg } from "#platform/messages";
import { Refusal } from "#platform/refusal";
import { invalidPath, pathConflict, pathTaken, fileNotFound, notAllowed, formatPath } from "./file-errors.ts";
import { parseName, parsePath } from "./file-paths.ts";
import { assertFileQuota } from "./file-quota.ts";
import { assertAllowed, descendantsSql, changeTree, type ResolvedPath, resolvePath } from "./file-access.ts";
import type { FileAction, Caller, FileRules, Files, FileNode, FilePath } from "./types.ts";
import { ensureDirectories } from "./write-file.ts";

/** Maximum files and directories copied in one call. */
const MAX_COPIED = 10_000;

/**
 * Removes a file or, unless `fileOnly`, a directory with its contents. Returns the number of nodes removed.
 * @throws `not-found`, `invalid` for a directory with `fileOnly`, `not-allowed`, also if something in the
 * directory may not be removed
 */
export async function removeFile(
  files: Files,
  caller: Caller,
  path: FilePath,
  { fileOnly = false } = {},
): Promise<number> {
  if (path.length === 0) throw invalidPath("The root directory cannot be removed.");
  const rules = await files.rules();
  return changeTree(files, async (tx) => {
    const { node, resolved } = await getReadablePath(tx, rules, caller, { path });
    if (fileOnly && node.kind === "directory")
      throw invalidPath(msg("{path} is a directory.", { path: formatPath(path) }));
    assertAllowed(resolved, "DELETE");
    const { n } = await assertAllowedBelow(tx, rules, caller, { resolved, act: "DELETE" });
    await run(tx, sql`delete from api_files where id = ${node.id}`);
    return n + 1;
  });
}

/**
 * Renames a file or directory. Returns its new path.
 * @throws as `moveFile` does
 */
export const renameFile = (files: Files, caller: Caller, path: FilePath, name: string): Promise<FilePath> =>
  moveNode(files, caller, {
    path,
    wanted: parsePath([...path.slice(0, -1), parseName(name)].join("/")),
    into: false,
  });

/**
 * Moves a file or directory: into `target` if that is a directory, otherwise to that path. Returns its new
 * path.
 * @throws `not-found`, `not-allowed`, `conflict` if the path is taken
 */
export const moveFile = (files: Files, caller: Caller, path: FilePath, target: FilePath): Promise<FilePath> =>
  moveNode(files, caller, { path, wanted: target, into: true });

type MoveInput = { path: FilePath; wanted: FilePath; into: boolean };

async function moveNode(files: Files, caller: Caller, { path, wanted, into }: MoveInput): Promise<FilePath> {
  if (path.length === 0) throw invalidPath("The root directory cannot be moved.");
  const rules = await files.rules();
  return changeTree(files, async (tx) => {
    const { node, resolved } = await getReadablePath(tx, rules, caller, { path, kind: "path-not-found" });
    assertAllowed(resolved, "DELETE");
    await assertAllowedBelow(tx, rules, caller, { resolved, act: "DELETE" });
    const target = await resolveTarget(tx, rules, caller, { wanted, path, into });
    if (isWithin(target.path, path)) throw pathConflict("A directory cannot be moved into itself.");
    await assertDepth(tx, node, target.path);
    await assertFileQuota(tx, rules, { bytes: 0, count: target.path.length - 1 - target.depth });
    const parentId = await ensureDirectories(tx, caller, target, target.path.slice(0, -1));
    await run(
      tx,
      sql`update api_files set parent_id = ${parentId}, name = ${target.path.at(-1)!}, updated_at = ${tx.now}
        where id = ${node.id}`,
    );
    return target.path;
  });
}

/**
 * Copies a file, or the parts of a directory that the caller may read: into `target` if that is a directory,
 * otherwise to that path.
 * @throws as `moveFile` does
 */
export async function copyFile(
  files: Files,
  caller: Caller,
  path: FilePath,
  filePath: FilePath,
): Promise<FilePath> {
  if (path.length === 0) throw invalidPath("The root directory cannot be copied.");
  const rules = await files.rules();
  return changeTree(files, async (tx) => {
    const { node, resolved } = await getReadablePath(tx, rules, caller, { path, kind: "path-not-found" });
    const target = await resolveTarget(tx, rules, caller, { wanted: filePath, path, into: true });
    if (isWithin(target.path, path)) throw pathConflict("A directory cannot be copied into itself.");
    await assertDepth(tx, node, target.path);
    const copied = [node, ...(await listTree(tx, rules, caller, resolved))];
    const bytes = copied.reduce((sum, { size }) => sum + size, 0);
    await assertFileQuota(tx, rules, { bytes, count: copied.length + target.path.length - 1 - target.depth });
    const parentId = await ensureDirectories(tx, caller, target, target.path.slice(0, -1));
    await copyNodes(tx, caller, copied, { parentId, name: target.path.at(-1)! });
    return target.path;
  });
}

const isWithin = (path: FilePath, of: FilePath) =>
  path.length > of.length && of.every((name, at) => path[at] === name);

async function getReadablePath(
  tx: Tx,
  rules: FileRules,
  caller: Caller,
  { path, kind }: { path: FilePath; kind?: "path-not-found" },
) {
  const resolved = await resolvePath(tx, rules, caller, path);
  if (!resolved.node || !resolved.isAllowed("READ")) throw fileNotFound(path, kind);
  return { resolved, node: resolved.node };
}

/** Resolves the target path, which must be free and writable for the caller. */
async function resolveTarget(
  tx: Tx,
  rules: FileRules,
  caller: Caller,
  { wanted, path, into }: MoveInput,
): Promise<ResolvedPath> {
  const first = await resolvePath(tx, rules, caller, wanted);
  const isDirectory = wanted.length === 0 || first.node?.kind === "directory";
  const target =
    into && isDirectory ? await resolvePath(tx, rules, caller, [...wanted, path.at(-1)!]) : first;
  assertAllowed(target, "WRITE");
  if (target.exists) throw pathTaken(target.path);
  return target;
}

/**
 * Checks that the caller may perform the action on all descendants. Returns their number.
 * @throws `not-allowed`
 */
async function assertAllowedBelow(
  tx: Tx,
  rules: FileRules,
  caller: Caller,
  { resolved: path, act }: { resolved: ResolvedPath; act: FileAction },
) {
  const found = await one(
    tx,
    sql<{ n: number; may: boolean }>`
      with recursive ${descendantsSql(rules, caller, { resolved: path, act, deep: true })}
      select count(*)::int as n, coalesce(bool_and(may), true) as may from below`,
  );
  if (!found.may) throw notAllowed(path.path);
  return found;
}

/**
 * Lists the descendants that the caller may read, parents first. Nothing below an unreadable directory is
 * included.
 */
async function listTree(tx: Tx, rules: FileRules, caller: Caller, path: ResolvedPath): Promise<FileNode[]> {
  const rows = await many(
    tx,
    sql<FileNode>`
      with recursive ${descendantsSql(rules, caller, { resolved: path, act: "READ", deep: true })}
      select id, parent_id as "parentId", name, kind, owner_id as "ownerId", size::float8 as size, mime,
        version,
        created_at as "createdAt", updated_at as "updatedAt"
      from below where may order by depth ${limit(MAX_COPIED + 1)}`,
  );
  if (rows.length > MAX_COPIED)
    throw new Refusal(
      "too-large",
      msg("At most {count} files and directories can be copied at once.", { count: MAX_COPIED }),
    );
  const known = new Set([path.node!.id]);
  return rows.filter(({ id, parentId }) => known.has(parentId!) && known.add(id));
}

async function copyNodes(
  tx: Tx,
  { userId }: Caller,
  nodes: readonly FileNode[],
  to: { parentId: string | null; name: string },
) {
  const ids = new Map(nodes.map(({ id }) => [id, tx.newId()]));
  const rows = nodes.map((node, at) => ({
    of: node.id,
    id: ids.get(node.id)!,
    parent: at === 0 ? to.parentId : ids.get(node.parentId!)!,
    name: at === 0 ? to.name : node.name,
  }));
  const all = sql`json_to_recordset(${JSON.stringify(rows)}::json) as r ("of" uuid, id uuid, parent uuid,
    name text)`;
  await run(
    tx,
    sql`insert into api_files (id, parent_id, name, kind, owner_id, size, mime, version, created_at,
      updated_at)
        select r.id, r.parent, r.name, f.kind, ${userId}, f.size, f.mime, r.id, ${tx.now}, ${tx.now}
        from ${all} join api_files f on f.id = r."of"`,
  );
  await run(
    tx,
    sql`insert into api_file_parts (file_id, position, hash, size)
        select r.id, p.position, p.hash, p.size from ${all} join api_file_parts p on p.file_id = r."of"`,
  );
}

/**
 * Checks that the result would not be nested too deep.
 * @throws `invalid`
 */
async function assertDepth(tx: Tx, node: FileNode, target: FilePath): Promise<void> {
  const { depth } = await one(
    tx,
    sql<{ depth: number }>`
      with recursive tree as (
        select f.id, 1 as depth from api_files f where f.parent_id = ${node.id}
        union all
        select c.id, t.depth + 1 from tree t join api_files c on c.parent_id = t.id)
      select coalesce(max(depth), 0)::int as depth from tree`,
  );
  if (target.length + depth > MAX_DEPTH)
    throw invalidPath(
      msg("{target} would be nested too deeply: directories can have at most {count} levels.", {
        target: formatPath(target),
        count: MAX_DEPTH,
      }),
    );
}
const MAX_DEPTH = 32;
