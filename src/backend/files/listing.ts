import { many, one, sql } from "#platform/database";
import { Refusal } from "#platform/refusal";
import { said } from "./faults.ts";
import { nameMatches } from "./patterns.ts";
import { below, foundAt, nodeColumns, placeAt } from "./standing.ts";
import type { Caller, Files, Node, Path } from "./types.ts";

/** A node with its path from the root. */
export type Entry = Node & { path: Path };

const COLUMNS = { name: "name", size: "size", created: "created_at", updated: "updated_at" } as const;
export type Order = { by: keyof typeof COLUMNS; descending: boolean };

/**
 * Which entries of a directory are listed: in a pattern `*` is any text, `?` any character. `deep` includes
 * subdirectories.
 */
export type Wanted = { pattern?: string | undefined; deep?: boolean };
export type Slice = { most: number; offset: number; order?: Order | undefined };

/**
 * Lists a directory as far as the caller may read it: directories first, then by name, unless ordered
 * otherwise.
 * @throws `not-found`, also for a file, `invalid` for too long a pattern
 */
export async function listFiles(files: Files, caller: Caller, path: Path, wanted: Wanted & Slice): Promise<Entry[]> {
  const { base, rules, place, named } = await looking(files, caller, path, wanted);
  const inOrder = (of: string) => sql`order by ${orderOf(of, wanted.order)}`;
  const rows = await many(
    files.db,
    sql<Node & { names: string[] }>`
      with recursive ${below(rules, caller, { place, act: "READ", deep: wanted.deep ?? false })},
      page as (select * from below where may and ${named} ${inOrder("below")} limit ${wanted.most} offset ${wanted.offset})
      select ${nodeColumns("page")}, ${namesUpTo(place.node?.id ?? null)} as names from page ${inOrder("page")}`,
  );
  return rows.map(({ names, ...node }) => ({ ...node, path: [...base, ...names] }));
}

function orderOf(of: string, order?: Order) {
  const column = (name: string) => sql.ref(`${of}.${name}`);
  const first = order ? sql`${column(COLUMNS[order.by])} ${order.descending ? sql`desc` : sql`asc`}` : sql`${column("kind")} = 'file'`;
  return sql`${first}, ${column("name")}, ${column("id")}`;
}

/**
 * Counts the files of a directory, optionally with directories.
 * @throws as `listFiles` does
 */
export async function countFiles(files: Files, caller: Caller, path: Path, wanted: Wanted & { directories: boolean }): Promise<number> {
  const { rules, place, named } = await looking(files, caller, path, wanted);
  const found = sql<{ n: number }>`
    with recursive ${below(rules, caller, { place, act: "READ", deep: wanted.deep ?? false })}
    select count(*)::int as n from below where may and ${named} and (kind = 'file' or ${wanted.directories}::boolean)`;
  return (await one(files.db, found)).n;
}

/** Whether there is a file or directory that the caller may read. */
export async function isFile(files: Files, caller: Caller, path: Path): Promise<boolean> {
  const place = await placeAt(files.db, await files.rules(), caller, path);
  return place.exists && place.may("READ");
}

async function looking(files: Files, caller: Caller, path: Path, { pattern = "*" }: Wanted) {
  const named = nameMatches(pattern);
  const rules = await files.rules();
  const place = await foundAt(files.db, rules, caller, path);
  if (place.node?.kind === "file") throw new Refusal("invalid", `${said(path)} is a file.`, { kind: "bad-path" });
  return { rules, place, base: path, named };
}

/** SQL: the names from a directory down to a row of `page`. */
const namesUpTo = (id: string | null) => sql`(
  with recursive up as (
    select page.parent_id as parent, array[page.name] as names
    union all
    select f.parent_id, f.name || up.names from up join program_files f on f.id = up.parent
    where up.parent is distinct from ${id}::uuid)
  select names from up where up.parent is not distinct from ${id}::uuid)`;
