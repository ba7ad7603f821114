import { type Caller, type TableOut, type Tables, tablesOut } from "#backend/tables";
import type { Viewer } from "#community/rules";
import { notFound } from "#platform/refusal";

/** Here the house itself looks and writes: an admin sees what their programs keep. */
export const HOUSE: Caller = { userId: null, roles: ["ServerCodeUser"], server: true };

/** The same where tables lead to the community: of that an admin sees what is theirs to see. */
export const houseOf = (viewer: Viewer): Caller => ({ ...HOUSE, viewer });

/** A table of programs by its name, with all others. `not-found` for the nouns of the community, which have pages of their own. */
export async function ownTable(tables: Tables, name: string | undefined): Promise<{ table: TableOut; all: TableOut[] }> {
  const all = await tablesOut(tables);
  const table = all.find((it) => it.name === name && !it.published);
  if (!table) throw notFound();
  return { table, all };
}
