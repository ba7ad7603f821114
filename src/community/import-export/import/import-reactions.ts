import { many, sql } from "#platform/database";
import type { Row } from "../bulk-insert.ts";
import type { RecordOf } from "../archive/records.ts";
import { type Batch, type Entry, formatSourceId, writeRows } from "./import-batch.ts";

/** A reaction. `under`: id of its post or message. */
type ReactionTarget = { record: RecordOf<"reaction" | "message-reaction">; under: string };

export const importReactions = (batch: Batch, entries: Entry<"reaction">[]): Promise<void> =>
  importReactionsInto(
    batch,
    ["reactions", "post_id"],
    entries.map(({ record }) => ({ record, under: batch.names.of("post", record.post)! })),
  );

export const importMessageReactions = (batch: Batch, entries: Entry<"message-reaction">[]): Promise<void> =>
  importReactionsInto(
    batch,
    ["message_reactions", "message_id"],
    entries.map(({ record }) => ({ record, under: batch.names.of("message", record.message)! })),
  );

/** Imports reactions into one table. Each reaction of a person to the same entity has its own row. */
async function importReactionsInto(
  batch: Batch,
  [table, column]: readonly [string, string],
  placed: ReactionTarget[],
): Promise<void> {
  const ties = placed.map(({ record, under }) => ({
    record,
    under,
    person: batch.names.of("user", record.user)!,
  }));
  const standing = await listExistingReactions(batch, [table, column], ties);
  for (const { record, under, person } of ties) {
    const made = !standing.has(`${under} ${person} ${record.emoji}`);
    batch.names.add(record.type, formatSourceId(record), {
      localId: under,
      otherId: person,
      part: record.emoji,
      made,
    });
    batch.count(record.type, made ? "made" : "known");
  }
  await writeRows(
    batch,
    table,
    ties.map(({ record: { emoji, createdAt }, under, person }): Row => {
      return { [column]: under, person_id: person, emoji, created_at: createdAt ?? batch.tx.now };
    }),
  );
}

type PersonReaction = ReactionTarget & { person: string };

async function listExistingReactions(
  { tx }: Batch,
  [table, column]: readonly [string, string],
  ties: PersonReaction[],
): Promise<Set<string>> {
  const rows = await many(
    tx,
    sql<{ tie: string }>`
      select r.${sql.ref(column)} || ' ' || r.person_id || ' ' || r.emoji as tie
      from ${sql.table(table)} r
      join unnest(${ties.map(({ under }) => under)}::uuid[], ${ties.map(({ person }) => person)}::uuid[],
        ${ties.map(({ record }) => record.emoji)}::text[]) t (under, person, emoji)
        on r.${sql.ref(column)} = t.under and r.person_id = t.person and r.emoji = t.emoji`,
  );
  return new Set(rows.map(({ tie }) => tie));
}
