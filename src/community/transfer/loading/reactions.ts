import type { Row } from "../fill.ts";
import type { Of } from "../archive/records.ts";
import { type Batch, type Entry, sourceIdOf, standingTies, write } from "./batch.ts";

/** A reaction, and the post or message that it is under. */
type Placed = { record: Of<"reaction" | "message-reaction">; under: string };

export const placeReactions = (batch: Batch, entries: Entry<"reaction">[]): Promise<void> =>
  placeIn(
    batch,
    ["reactions", "post_id"],
    entries.map(({ record }) => ({ record, under: batch.names.of("post", record.post)! })),
  );

export const placeMessageReactions = (batch: Batch, entries: Entry<"message-reaction">[]): Promise<void> =>
  placeIn(
    batch,
    ["message_reactions", "message_id"],
    entries.map(({ record }) => ({ record, under: batch.names.of("message", record.message)! })),
  );

async function placeIn(batch: Batch, [table, column]: readonly [string, string], placed: Placed[]): Promise<void> {
  const ties = placed.map(({ record, under }) => [under, batch.names.of("user", record.user)!] as const);
  // Somebody's other emoji under the same counts as a tie too: then what is here already is left alone as well.
  const standing = await standingTies(batch, table, [column, "person_id"], ties);
  const rows = placed.map(({ record: it }, i): Row => {
    const [under, person] = ties[i]!;
    batch.names.add(it.type, sourceIdOf(it), {
      localId: under,
      otherId: person,
      part: it.emoji,
      made: !standing.has(`${under} ${person}`),
    });
    batch.count(it.type, "made");
    return { [column]: under, person_id: person, emoji: it.emoji, created_at: it.createdAt ?? batch.tx.now };
  });
  await write(batch, table, rows);
}
