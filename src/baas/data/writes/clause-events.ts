import type { Caller, Table } from "../catalogue/types.ts";
import { listDenials } from "../permissions/object-grants.ts";
import type { ObjectGrant } from "../permissions/row-permissions.ts";
import type { RecordSelection } from "../query/index.ts";
import { type RecordEvent, omitIfLong, emitBulkChange, type WriteContext } from "./write-context.ts";

export type WriteTarget = { table: Table; caller: Caller };

/** Clause for the event of a bulk change: the caller's clause, or one that lists the ids. */
export const selectionClause = (which: RecordSelection) =>
  "where" in which
    ? which.where
    : `objectId IN (${which.ids.map((id) => `'${id.replaceAll("'", "''")}'`).join(",")})`;

type ClauseChange = { event: RecordEvent; which: RecordSelection; count: number; denied?: ObjectGrant[] };

/**
 * Emits the event of a bulk change with its clause and the current denials. These are stored now, because
 * rows and denials may be gone when the event is delivered.
 */
export async function emitClauseChange(
  writing: WriteContext,
  { table, caller }: WriteTarget,
  { event, which, count, ...details }: ClauseChange,
): Promise<void> {
  const whereClause = selectionClause(which);
  const denied = details.denied ?? (await listDenials(writing, table));
  const about = { count, whereClause: denied.length > 0 ? null : omitIfLong(whereClause) };
  return emitBulkChange(writing, table, caller, event, about, { count, whereClause, denied });
}
