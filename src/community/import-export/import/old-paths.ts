import { many, sql } from "#platform/database";
import type { Row } from "../bulk-insert.ts";
import { type AnyEntry, type Batch, writeRows } from "./import-batch.ts";

// Addresses of imported content on its old site.

type Kind = "user" | "group" | "discussion" | "post" | "resource";
type Placed = AnyEntry & { id: string; record: { oldPaths: string[] } };

/** Prefix such as `/old/discourse-forum`, for old addresses that another source already uses. */
export function sourcePathPrefix(source: string): string {
  const name = source
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
  return `/old/${name.slice(0, 100) || "import"}`;
}

/**
 * Stores old addresses. Within one source the first record keeps an address. An address that another source
 * already uses gets this source's prefix, with a warning.
 */
export async function storeOldPaths(batch: Batch, kind: Kind, entries: Placed[]): Promise<void> {
  const claimed = entries.flatMap((entry) => entry.record.oldPaths.map((path) => ({ entry, path })));
  if (claimed.length === 0) return;
  const taken = await takenByOthers(
    batch,
    claimed.map(({ path }) => path),
  );
  const prefix = sourcePathPrefix(batch.run.source);
  const rows = claimed.flatMap(({ entry, path }): Row[] => {
    const holder = taken.get(path);
    if (holder === entry.id) return [];
    const here = holder === undefined ? path : `${prefix}${path}`;
    if (here.length > LONGEST) return [];
    if (holder !== undefined)
      batch.note(
        entry,
        `Its old address ${path} is already used by another import: it redirects from ${here} instead.`,
      );
    return [{ path: here, kind, thing_id: entry.id, run_id: batch.run.id }];
  });
  await writeRows(batch, "address_redirects", rows);
}

const LONGEST = 1_000;

/** The entities of other sources that already have these paths, by path. */
async function takenByOthers({ tx, run }: Batch, paths: string[]): Promise<Map<string, string>> {
  const rows = await many(
    tx,
    sql<{ path: string; id: string }>`
      select a.path, a.thing_id as id from address_redirects a left join import_runs r on r.id = a.run_id
      where a.path = any(${paths}::text[]) and r.source is distinct from ${run.source}`,
  );
  return new Map(rows.map(({ path, id }) => [path, id]));
}
