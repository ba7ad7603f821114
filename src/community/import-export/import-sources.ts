import { type Db, many, sql, type Tx } from "#platform/database";
import { invalid } from "#platform/refusal";
import type { Viewer } from "#community/rules";
import type { Format } from "./adapters/index.ts";
import { requireImporter, sourceName } from "./run-import.ts";

// Ids in an archive are unique within one source. A file name says little about its source: many archives are
// called export.zip, and a second download becomes export (1).zip. So the admin chooses the source.

/** A source with imported content. `id` is its latest run. */
export type ImportSource = { id: string; format: string; name: string; latestAt: Date };

const latestImportedRuns = (format: string | null) => sql`
  select distinct on (format, source) id, format, case
    when starts_with(source, format || ':') then substr(source, length(format) + 2) else source end as name,
    source, created_at as "latestAt"
  from import_runs where started_at is not null and state <> 'undone'
    and (${format}::text is null or format = ${format})
  order by format, source, created_at desc, id desc`;

/**
 * Sources with imported content. A new archive may come from one of these sources.
 * @throws `not-found` for all but admins
 */
export async function listImportSources(db: Db, viewer: Viewer): Promise<ImportSource[]> {
  requireImporter(viewer);
  return many(
    db,
    sql<ImportSource>`select id, format, name, "latestAt" from (${latestImportedRuns(null)}) s
      order by "latestAt" desc, id desc`,
  );
}

/**
 * Source of an archive: a new source, or the source of the run that was chosen in the form.
 * @throws `invalid` if content of that format exists and none was chosen
 */
export async function resolveSource(
  tx: Tx,
  it: { format: Format; fileName: string; source?: string | undefined },
): Promise<string> {
  const { format, fileName, source } = it;
  const earlier = await many(tx, sql<{ id: string; source: string }>`${latestImportedRuns(format)}`);
  if (source === "new" || (!source && earlier.length === 0))
    return findFreeSourceName(tx, sourceName({ format, path: fileName }));
  const same = earlier.find(({ id }) => id === source);
  if (same) return same.source;
  if (source) throw invalid("source", "The earlier import was another kind of archive, or was undone.");
  throw invalid("source", "Choose whether you have imported from this source before.");
}

/** The name of a new source must be unused, even by an archive that was only checked. */
async function findFreeSourceName(tx: Tx, wanted: string): Promise<string> {
  const rows = await many(
    tx,
    sql<{ source: string }>`select distinct source from import_runs where starts_with(source, ${wanted})`,
  );
  const taken = new Set(rows.map(({ source }) => source));
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? wanted : `${wanted.slice(0, 190)} ${number}`;
    if (!taken.has(name)) return name;
  }
}
