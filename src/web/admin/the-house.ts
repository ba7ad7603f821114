import { type Caller, type TableOut, type Tables, tablesOut } from "#backend/tables";
import type { Viewer } from "#community/rules";
import { notFound } from "#platform/refusal";

/** The server's own caller: admins see all API data. */
export const HOUSE: Caller = { userId: null, roles: ["ServerCodeUser"], server: true };

/** The same for tables that refer to the community: admins see only what they may see there. */
export const houseOf = (viewer: Viewer): Caller => ({ ...HOUSE, viewer });

/**
 * Finds a data table by its name, with all others.
 * @throws `not-found` for the community's entities, which have their own pages
 */
export async function ownTable(tables: Tables, name: string | undefined): Promise<{ table: TableOut; all: TableOut[] }> {
  const all = await tablesOut(tables);
  const table = all.find((it) => it.name === name && !it.published);
  if (!table) throw notFound();
  return { table, all };
}
