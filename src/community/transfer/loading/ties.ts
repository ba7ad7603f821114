import type { Kind, Of } from "../archive/records.ts";
import type { Row } from "../fill.ts";
import { type Batch, type Entry, sourceIdOf, standingTies, write } from "./batch.ts";

/** The two columns that form a relationship, in order. */
type Ends = [one: string, other: string];

/** Imports relationships of two entities. Existing ones stay unchanged and no undo removes them. */
export async function placeTies<K extends Kind>(
  batch: Batch,
  kind: K,
  [table, columns]: readonly [string, Ends],
  entries: Entry<K>[],
  tieOf: (it: Of<K>) => { ends: Ends; more: Row },
): Promise<void> {
  const ties = entries.map(({ record }) => ({ record, ...tieOf(record) }));
  const standing = await standingTies(
    batch,
    table,
    columns,
    ties.map(({ ends }) => ends),
  );
  for (const { record, ends } of ties)
    batch.names.add(kind, sourceIdOf(record), { localId: ends[0], otherId: ends[1], made: !standing.has(ends.join(" ")) });
  const [one, other] = columns;
  await write(
    batch,
    table,
    ties.map(({ ends, more }) => ({ [one]: ends[0], [other]: ends[1], ...more })),
  );
  countTies(
    batch,
    kind,
    ties.map(({ ends }) => standing.has(ends.join(" "))),
  );
}

export function countTies(batch: Batch, kind: Kind, standing: boolean[]): void {
  const known = standing.filter(Boolean).length;
  batch.count(kind, "known", known);
  batch.count(kind, "made", standing.length - known);
}
