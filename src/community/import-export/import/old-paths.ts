import { many, sql } from "#platform/database";
import type { Row } from "../bulk-insert.ts";
import { type AnyEntry, type Batch, writeRows } from "./import-batch.ts";

// The addresses under which things were known elsewhere.

type Kind = "user" | "group" | "discussion" | "post" | "resource";
type Placed = AnyEntry & { id: string; record: { oldPaths: string[] } };

/** `/old/discourse-forum`, for the addresses of a place that another place has too. */
export function prefixOf(source: string): string {
  const name = source
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
  return `/old/${name.slice(0, 100) || "import"}`;
}

/**
 * Writes down old addresses. Within one source the first to claim an address keeps it. What something of another source
 * has already is answered under the prefix of this one, and a remark says so.
 */
export async function placeOldPaths(batch: Batch, kind: Kind, entries: Placed[]): Promise<void> {
  const claimed = entries.flatMap((entry) => entry.record.oldPaths.map((path) => ({ entry, path })));
  if (claimed.length === 0) return;
  const taken = await takenByOthers(
    batch,
    claimed.map(({ path }) => path),
  );
  const prefix = prefixOf(batch.run.source);
  const rows = claimed.flatMap(({ entry, path }): Row[] => {
    const holder = taken.get(path);
    if (holder === entry.id) return [];
    const here = holder === undefined ? path : `${prefix}${path}`;
    if (here.length > LONGEST) return [];
    if (holder !== undefined)
      batch.note(entry, `Its old address ${path} is that of something from another place: it is answered at ${here}.`);
    return [{ path: here, kind, thing_id: entry.id, run_id: batch.run.id }];
  });
  await writeRows(batch, "address_redirects", rows);
}

const LONGEST = 1_000;

/** What has these addresses from other sources, by the address. */
async function takenByOthers({ tx, run }: Batch, paths: string[]): Promise<Map<string, string>> {
  const rows = await many(
    tx,
    sql<{ path: string; id: string }>`
      select a.path, a.thing_id as id from address_redirects a left join import_runs r on r.id = a.run_id
      where a.path = any(${paths}::text[]) and r.source is distinct from ${run.source}`,
  );
  return new Map(rows.map(({ path, id }) => [path, id]));
}
