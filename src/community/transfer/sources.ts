import { type Db, many, sql, type Tx } from "#platform/database";
import { invalid } from "#platform/refusal";
import type { Viewer } from "#community/rules";
import type { Format } from "./adapters/index.ts";
import { bringer, sourceOf } from "./bring-in.ts";

// Names in an archive hold within one source. What a file is called says little of where it comes from: half the world
// calls its archive export.zip, and the second time the browser calls it export (1).zip. So whoever brings it in says it.

/** A place from which something has come and is here. `id` is that of its latest run. */
export type Source = { id: string; format: string; name: string; latestAt: Date };

const ofFormat = (format: string | null) => sql`
  select distinct on (format, source) id, format, case when starts_with(source, format || ':') then substr(source, length(format) + 2) else source end as name,
    source, created_at as "latestAt"
  from import_runs where begun_at is not null and state <> 'undone' and (${format}::text is null or format = ${format})
  order by format, source, created_at desc, id desc`;

/** From which places something has come: another archive may be of the same. `not-found` for all but admins. */
export async function sourcesFor(db: Db, viewer: Viewer): Promise<Source[]> {
  bringer(viewer);
  return many(db, sql<Source>`select id, format, name, "latestAt" from (${ofFormat(null)}) s order by "latestAt" desc, id desc`);
}

/**
 * The source of an archive: a new one, or that of the run that the form names. Throws `invalid` where something of that
 * format is here, and nothing is said.
 */
export async function sourceFor(tx: Tx, it: { format: Format; fileName: string; source?: string | undefined }): Promise<string> {
  const { format, fileName, source } = it;
  const earlier = await many(tx, sql<{ id: string; source: string }>`${ofFormat(format)}`);
  if (source === "new" || (!source && earlier.length === 0)) return freeSource(tx, sourceOf({ format, path: fileName }));
  const same = earlier.find(({ id }) => id === source);
  if (same) return same.source;
  if (source) throw invalid("source", "What came from there was another kind of archive, or is gone.");
  throw invalid("source", "Say whether something of the same place has come before.");
}

/** What is new has a name of its own, also where an archive with the same name was only looked at. */
async function freeSource(tx: Tx, wanted: string): Promise<string> {
  const rows = await many(tx, sql<{ source: string }>`select distinct source from import_runs where starts_with(source, ${wanted})`);
  const taken = new Set(rows.map(({ source }) => source));
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? wanted : `${wanted.slice(0, 190)} ${number}`;
    if (!taken.has(name)) return name;
  }
}
