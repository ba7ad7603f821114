import { many, run, sql } from "#platform/database";
import type { Row } from "../bulk-insert.ts";
import { type Batch, type Entry, assignIds, mergeCheckedContainers, writeRows } from "./import-batch.ts";
import { attachUploads, type ImportedText, convertTexts } from "./imported-texts.ts";

type Message = Entry<"message"> & { id: string; place: string };

/**
 * Imports messages in archive order: each gets the next number of its conversation. A reply refers to an
 * earlier message of the same conversation or to none.
 */
export async function importMessages(batch: Batch, entries: Entry<"message">[]): Promise<void> {
  const fresh = (await assignIds(batch, "messages", entries, (it) => it)).map((it) => ({
    ...it,
    place: batch.names.of("conversation", it.record.conversation)!,
  }));
  const places = [...new Set(fresh.map(({ place }) => place))];
  const next = await lockNextNumbers(batch, places);
  const answered = await findRepliedPlaces(batch, fresh);
  if (batch.check) for (const { id, place } of fresh) batch.checked.places.set(id, place);
  const textOf = await convertTexts(batch, fresh);
  const texts = fresh.map((it) => ({ it, id: it.id, ...textOf(it) }));
  const rows = texts.map(({ it, ...text }): Row => {
    const seq = next.get(it.place) ?? 1;
    next.set(it.place, seq + 1);
    const row = {
      ...createMessageRow(batch, it, text),
      seq,
      reply_to: findRepliedMessage(batch, it, answered),
    };
    answered.set(it.id, it.place);
    return row;
  });
  await writeRows(batch, "messages", rows);
  await writeRows(
    batch,
    "hidden_messages",
    fresh.flatMap((it) => createHiddenRows(batch, it)),
  );
  await attachUploads(batch, "message", texts);
  if (!batch.check && places.length > 0) await refreshConversations(batch, places);
}

const createMessageRow = (batch: Batch, { id, place, record: it }: Message, text: ImportedText): Row => ({
  id,
  conversation_id: place,
  author_id: batch.names.of("user", it.author)!,
  body_md: text.body,
  body_html: text.html,
  created_at: it.createdAt,
  edited_at: it.editedAt ?? null,
  deleted_at: it.deletedAt ?? null,
});

const createHiddenRows = (batch: Batch, { id, record }: Message): Row[] =>
  record.hiddenFrom.flatMap(({ user, at }) => {
    const person = batch.names.of("user", user);
    return person ? [{ person_id: person, message_id: id, hidden_at: at }] : [];
  });

async function lockNextNumbers(batch: Batch, places: string[]): Promise<Map<string, number>> {
  const rows = await many(
    batch.tx,
    sql<{ id: string; next: number }>`
      select id, last_seq + 1 as next from conversations where id = any(${places}::uuid[])
      order by id for no key update`,
  );
  return new Map(rows.map(({ id, next }) => [id, next]));
}

/** Finds the conversations of the messages to which new messages reply. */
async function findRepliedPlaces(batch: Batch, fresh: Message[]): Promise<Map<string, string>> {
  const ids = fresh.flatMap(
    ({ record }) => (record.replyTo && batch.names.of("message", record.replyTo)) || [],
  );
  if (ids.length === 0) return new Map();
  const rows = await many(
    batch.tx,
    sql<{
      id: string;
      place: string;
    }>`select id, conversation_id as place from messages where id = any(${ids}::uuid[])`,
  );
  return mergeCheckedContainers(batch, ids, rows);
}

function findRepliedMessage(batch: Batch, message: Message, answered: Map<string, string>): string | null {
  const { replyTo } = message.record;
  if (!replyTo) return null;
  const parent = batch.names.of("message", replyTo);
  if (parent !== undefined && parent !== message.id && answered.get(parent) === message.place) return parent;
  batch.note(
    message,
    `It replies to ${replyTo}, which is not an earlier message of the same conversation: imported without that link.`,
  );
  return null;
}

const refreshConversations = (batch: Batch, places: string[]) =>
  run(
    batch.tx,
    sql`
      with latest as (
        select distinct on (conversation_id) conversation_id, seq, created_at from messages
        where conversation_id = any(${places}::uuid[]) order by conversation_id, seq desc),
      people as (
        update participants p set last_seq = l.seq, last_message_at = l.created_at
        from latest l where p.conversation_id = l.conversation_id)
      update conversations c set last_seq = l.seq, last_message_at = l.created_at
      from latest l where c.id = l.conversation_id`,
  );
