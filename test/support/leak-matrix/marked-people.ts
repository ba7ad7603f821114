import { one, run, sql, type Tx } from "#platform/database";
import { startConversation } from "#community/conversations";
import { createFriendLink } from "#community/friends";
import type { TestUsers } from "../test-users.ts";
import { INSIDE_WORD, NOTE_WORD, PRIVATE_WORD } from "./marker-words.ts";

/** Adds a conversation of Mira with Tomas that contains a picture. */
export async function addMarkedConversation(tx: Tx, { mira, tomas }: Pick<TestUsers, "mira" | "tomas">) {
  await run(tx, sql`update people set privacy = '{"messages":"everyone"}' where id = ${tomas.id}`);
  const conversation = await startConversation(tx, mira, { to: ["tomas"], name: "", body: PRIVATE_WORD });
  const { id: messageId } = await one(
    tx,
    sql<{ id: string }>`select id from messages where conversation_id = ${conversation.id}`,
  );
  const privatePictureId = tx.newId();
  await run(
    tx,
    sql`insert into uploads (id, owner_id, hash, size, mime, width, height, attached_kind, attached_id,
      created_at)
        values (${privatePictureId}, ${mira.id}, ${"d".repeat(64)}, 78, 'image/webp', 1, 1, 'message',
          ${messageId}, ${tx.now})`,
  );
  const shown = `<img src="/files/${privatePictureId}" alt="">`;
  await run(tx, sql`update messages set body_html = body_html || ${shown} where id = ${messageId}`);
  return { conversationId: conversation.id, messageId, privatePictureId };
}

/** Adds a profile field with an answer of Mira's that only she may see. */
export async function addPrivateAnswer(tx: Tx, { mira }: Pick<TestUsers, "mira">): Promise<string> {
  const fieldId = tx.newId();
  await run(
    tx,
    sql`insert into profile_fields (id, label, kind, audience, place, created_at)
      values (${fieldId}, 'Recipe', 'line', 'members', 1, ${tx.now})`,
  );
  await run(
    tx,
    sql`insert into profile_values (person_id, field_id, said, audience)
      values (${mira.id}, ${fieldId}, ${[INSIDE_WORD]}, 'nobody')`,
  );
  return fieldId;
}

/** Adds an internal note of a site moderator on Mira. */
export const addPersonNote = (tx: Tx, { mira, ines }: Pick<TestUsers, "mira" | "ines">): Promise<number> =>
  run(
    tx,
    sql`insert into person_notes (id, person_id, author_id, body, created_at)
      values (${tx.newId()}, ${mira.id}, ${ines.id}, ${NOTE_WORD}, ${tx.now})`,
  );

/** Adds a revoked friend link by Mira and returns its token. */
export async function addRevokedFriendLink(tx: Tx, { mira }: Pick<TestUsers, "mira">): Promise<string> {
  const { token: friendToken } = await createFriendLink(tx, mira);
  await run(tx, sql`update friend_links set revoked_at = ${tx.now}`);
  return friendToken;
}
