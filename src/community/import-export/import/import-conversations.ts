import { many, sql } from "#platform/database";
import { isId, uuidv7 } from "#platform/ids";
import type { Row } from "../bulk-insert.ts";
import { type Batch, type Entry, assignIds, writeRows } from "./import-batch.ts";

type Conversation = Entry<"conversation"> & { id: string };

/**
 * Imports conversations. Two people have only one direct conversation. If it exists already, or if both
 * people of the archive are one person here, the imported one becomes a group conversation, so that no
 * messages are mixed or lost.
 */
export async function importConversations(batch: Batch, entries: Entry<"conversation">[]): Promise<void> {
  const fresh = await assignIds(batch, "conversations", entries, (it) => it);
  const taken = new Set(
    (
      await many(
        batch.tx,
        sql<{
          pair: string;
        }>`select pair from conversations
          where pair = any(${fresh.flatMap((it) => directPairKey(batch, it) ?? [])})`,
      )
    ).map(({ pair }) => pair),
  );
  const rows = fresh.map((it): Row => {
    const pair = directPairKey(batch, it);
    const free = pair !== null && !taken.has(pair);
    if (free) taken.add(pair);
    return {
      id: it.id,
      kind: free ? "direct" : "group",
      name: it.record.name,
      creator_id: batch.names.of("user", it.record.creator)!,
      pair: free ? pair : null,
      last_seq: 0,
      last_message_at: it.record.createdAt,
      created_at: it.record.createdAt,
    };
  });
  await writeRows(batch, "conversations", rows);
  await writeRows(
    batch,
    "participants",
    fresh.flatMap((it) => createParticipantRows(batch, it)),
  );
  await writeRows(
    batch,
    "conversation_entries",
    fresh.flatMap((it) => createActivityRows(batch, it)),
  );
}

function directPairKey(batch: Batch, { record }: Conversation): string | null {
  const people = [...new Set(record.participants.map(({ user }) => batch.names.of("user", user)))];
  return record.kind === "direct" && people.length === 2 && people.every(Boolean)
    ? people.sort().join(":")
    : null;
}

const createParticipantRows = (batch: Batch, conversation: Conversation): Row[] =>
  conversation.record.participants.flatMap((one) => {
    const person = batch.names.of("user", one.user);
    if (!person)
      batch.note(
        conversation,
        `It refers to the user ${one.user}, who does not precede it: imported without them.`,
      );
    return person
      ? [
          {
            conversation_id: conversation.id,
            person_id: person,
            state: one.state,
            last_message_at: conversation.record.createdAt,
            last_read_seq: one.read,
            seen_seq: one.seen ?? one.read,
            joined_seq: one.joinedAfter,
            muted_until: one.mutedUntil ?? null,
            archived_at: one.archivedAt ?? null,
            joined_at: one.createdAt ?? conversation.record.createdAt,
          },
        ]
      : [];
  });

/**
 * Creates activity entries for changes of participants or name. An entry whose person was not imported is
 * dropped, except for a new name.
 */
const createActivityRows = (batch: Batch, { id, record }: Conversation): Row[] =>
  record.lines.flatMap((line) => {
    const person = (line.user && batch.names.of("user", line.user)) ?? null;
    if (line.kind !== "renamed" && !person) return [];
    return [
      {
        id: isId(line.id) ? line.id.toLowerCase() : uuidv7(line.at.getTime()),
        conversation_id: id,
        after_seq: line.after,
        kind: line.kind,
        by_id: (line.by && batch.names.of("user", line.by)) ?? null,
        person_id: person,
        name: line.name,
        at: line.at,
      },
    ];
  });
