import { SERVER_CALLER, type Caller, type TableInfo, type DataTables, listTables } from "#baas/data";
import type { Viewer } from "#community/rules";
import { notFound } from "#platform/refusal";

/**
 * The rights of the server key with the viewer, for tables that refer to the community: through these tables, admins see
 * only what they may see on the site.
 */
export const serverCallerFor = (viewer: Viewer): Caller => ({ ...SERVER_CALLER, viewer });

/**
 * Finds a data table by its name; also returns all other tables.
 * @throws `not-found` for the community's entities, which have their own pages
 */
export async function getApiTable(
  tables: DataTables,
  name: string | undefined,
): Promise<{ table: TableInfo; all: TableInfo[] }> {
  const all = await listTables(tables);
  const table = all.find((it) => it.name === name && !it.published);
  if (!table) throw notFound();
  return { table, all };
}
