import { many, one, sql } from "#platform/database";
import { msg } from "#platform/messages";
import { keysOf } from "#platform/objects";
import { Refusal } from "#platform/refusal";
import { formatPath } from "./file-errors.ts";
import { nameMatchesSql } from "./name-patterns.ts";
import { descendantsSql, resolveReadablePath, nodeColumns, resolvePath } from "./file-access.ts";
import type { Caller, Files, FileNode, FilePath } from "./types.ts";

/** A node with its path from the root. */
export type FileEntry = FileNode & { path: FilePath };

const ORDER_COLUMNS = { name: "name", size: "size", created: "created_at", updated: "updated_at" } as const;
/** Sort orders of entries. */
export const FILE_ORDERS = keysOf(ORDER_COLUMNS);
export type FileOrder = { by: keyof typeof ORDER_COLUMNS; descending: boolean };

/**
 * Selects entries of a directory. In a pattern `*` is any text and `?` any character. `deep` includes
 * subdirectories.
 */
export type ListOptions = { pattern?: string | undefined; deep?: boolean };
export type ListPage = { most: number; offset: number; order?: FileOrder | undefined };

/**
 * Lists the entries of a directory that the caller may read: directories first, then by name, unless another
 * order is requested.
 * @throws `not-found`, also for a file, `invalid` for a pattern that is too long
 */
export async function listFiles(
  files: Files,
  caller: Caller,
  path: FilePath,
  wanted: ListOptions & ListPage,
): Promise<FileEntry[]> {
  const { base, rules, resolved, named } = await resolveListing(files, caller, path, wanted);
  const inOrder = (of: string) => sql`order by ${orderSql(of, wanted.order)}`;
  const rows = await many(
    files.db,
    sql<FileNode & { names: string[] }>`
      with recursive ${descendantsSql(rules, caller, { resolved, act: "READ", deep: wanted.deep ?? false })},
      page as (select * from below where may and ${named} ${inOrder("below")} limit ${wanted.most}
        offset ${wanted.offset})
      select ${nodeColumns("page")}, ${namesFromDirectory(resolved.node?.id ?? null)} as names
      from page ${inOrder("page")}`,
  );
  return rows.map(({ names, ...node }) => ({ ...node, path: [...base, ...names] }));
}

function orderSql(of: string, order?: FileOrder) {
  const column = (name: string) => sql.ref(`${of}.${name}`);
  const first = order
    ? sql`${column(ORDER_COLUMNS[order.by])} ${order.descending ? sql`desc` : sql`asc`}`
    : sql`${column("kind")} = 'file'`;
  return sql`${first}, ${column("name")}, ${column("id")}`;
}

/**
 * Counts the files in a directory, on request including directories.
 * @throws as `listFiles` does
 */
export async function countFiles(
  files: Files,
  caller: Caller,
  path: FilePath,
  wanted: ListOptions & { directories: boolean },
): Promise<number> {
  const { rules, resolved, named } = await resolveListing(files, caller, path, wanted);
  const found = sql<{ n: number }>`
    with recursive ${descendantsSql(rules, caller, { resolved, act: "READ", deep: wanted.deep ?? false })}
    select count(*)::int as n from below
    where may and ${named} and (kind = 'file' or ${wanted.directories}::boolean)`;
  return (await one(files.db, found)).n;
}

/** Whether a file or directory that the caller may read exists at a path. */
export async function fileExists(files: Files, caller: Caller, path: FilePath): Promise<boolean> {
  const resolved = await resolvePath(files.db, await files.rules(), caller, path);
  return resolved.exists && resolved.isAllowed("READ");
}

async function resolveListing(files: Files, caller: Caller, path: FilePath, { pattern = "*" }: ListOptions) {
  const named = nameMatchesSql(pattern);
  const rules = await files.rules();
  const resolved = await resolveReadablePath(files.db, rules, caller, path);
  if (resolved.node?.kind === "file")
    throw new Refusal("invalid", msg("{path} is a file.", { path: formatPath(path) }), { kind: "bad-path" });
  return { rules, resolved, base: path, named };
}

/** SQL for the names on the way from a directory to a row of `page`. */
const namesFromDirectory = (id: string | null) => sql`(
  with recursive up as (
    select page.parent_id as parent, array[page.name] as names
    union all
    select f.parent_id, f.name || up.names from up join api_files f on f.id = up.parent
    where up.parent is distinct from ${id}::uuid)
  select names from up where up.parent is not distinct from ${id}::uuid)`;
