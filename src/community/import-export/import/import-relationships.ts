import type { RecordKind, RecordOf } from "../archive/records.ts";
import type { Row } from "../bulk-insert.ts";
import {
  type Batch,
  type Entry,
  formatSourceId,
  listExistingRelationships,
  writeRows,
} from "./import-batch.ts";

/** The two columns that identify a relationship, in order. */
type EndColumns = [one: string, other: string];

/**
 * Imports relationships between two entities. Existing relationships stay unchanged, and an undo does not
 * remove them.
 */
export async function importRelationships<K extends RecordKind>(
  batch: Batch,
  kind: K,
  [table, columns]: readonly [string, EndColumns],
  entries: Entry<K>[],
  tieOf: (it: RecordOf<K>) => { ends: EndColumns; more: Row },
): Promise<void> {
  const ties = entries.map(({ record }) => ({ record, ...tieOf(record) }));
  const standing = await listExistingRelationships(
    batch,
    table,
    columns,
    ties.map(({ ends }) => ends),
  );
  for (const { record, ends } of ties)
    batch.names.add(kind, formatSourceId(record), {
      localId: ends[0],
      otherId: ends[1],
      made: !standing.has(ends.join(" ")),
    });
  const [one, other] = columns;
  await writeRows(
    batch,
    table,
    ties.map(({ ends, more }) => ({ [one]: ends[0], [other]: ends[1], ...more })),
  );
  countRelationships(
    batch,
    kind,
    ties.map(({ ends }) => standing.has(ends.join(" "))),
  );
}

export function countRelationships(batch: Batch, kind: RecordKind, standing: boolean[]): void {
  const known = standing.filter(Boolean).length;
  batch.count(kind, "known", known);
  batch.count(kind, "made", standing.length - known);
}
