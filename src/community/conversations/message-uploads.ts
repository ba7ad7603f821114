import { type Database, type Db, maybeOne, run, sql, type Tx } from "#platform/database";
import { isId } from "#platform/ids";
import { parseText } from "#platform/markup";
import { invalid, notFound, Refusal } from "#platform/refusal";
import type { Storage } from "#platform/storage";
import {
  assertPictureLimit,
  findFiles,
  attachUploads,
  type NewPicture,
  findPictures,
  storePicture,
} from "#community/common";
import { requireSignedIn } from "#community/friends";
import {
  type ConversationFacts,
  conversationRules,
  SERVER_LIMITS,
  type SignedIn,
  type Viewer,
} from "#community/rules";
import { getConversation } from "./conversation.ts";
import { isNotBlockedEitherWay } from "./conversation-columns.ts";
import { isMessageHiddenFrom } from "./message-columns.ts";

const cannotMessageRefusal = () => new Refusal("not-allowed", "You can no longer message this person.");

/**
 * Stores a picture for a message being written; `as` is its id, if given.
 * @throws `not-found` for people who are no participants, `not-allowed` if they may not write there, and what
 * `storePicture` throws
 */
export async function addMessagePicture(
  app: { database: Database; storage: Storage },
  viewer: Viewer,
  conversationId: string,
  bytes: Buffer,
  as?: string,
): Promise<NewPicture> {
  const conversation = await getConversation(app.database.db, viewer, conversationId);
  if (!conversationRules.write(viewer, conversation)) throw cannotMessageRefusal();
  return storePicture(app, requireSignedIn(viewer), bytes, as);
}

/**
 * HTML of a message with its author's pictures, and the ids of pictures and files to attach.
 * @throws `not-allowed` for files the author may not send, `invalid` for more than ten, or for too many
 * pictures
 */
export async function renderMessage(
  tx: Tx,
  me: SignedIn,
  { id, body, to }: { id: string; body: string; to: ConversationFacts },
): Promise<{ html: string; uploads: string[] }> {
  const text = parseText(body, id);
  const place = { kind: "message" as const, id };
  const files = await findFiles(tx, me, place, text.files);
  if (files.length > 0 && !conversationRules.sendFiles(me, to))
    throw new Refusal("not-allowed", "New accounts cannot send files yet.");
  if (files.length > SERVER_LIMITS.messageFiles)
    throw invalid("body", "A message can have at most 10 files.");
  if (text.pictures.length === 0) return { html: text.html(), uploads: files };
  const pictures = await findPictures(tx, me, place, text.pictures);
  assertPictureLimit(me, pictures.size);
  return { html: text.html({ pictures }), uploads: [...files, ...[...pictures.values()].map((it) => it.id)] };
}

/** Placeholder id for a preview, which is not a stored message. */
const PREVIEW_ID = "preview";

/**
 * Renders a text as it would appear in a conversation, with the viewer's own pictures. Stores nothing.
 * @throws `not-signed-in`, `not-found` for people who are no participants, `not-allowed` after a block
 */
export async function previewMessage(
  db: Db,
  viewer: Viewer,
  { conversationId, body }: { conversationId: string; body: string },
): Promise<{ html: string }> {
  const me = requireSignedIn(viewer);
  if (!conversationRules.write(me, await getConversation(db, me, conversationId)))
    throw cannotMessageRefusal();
  const text = parseText(body, PREVIEW_ID);
  const pictures = await findPictures(db, me, { kind: "message", id: null }, text.pictures);
  return { html: text.html({ pictures }) };
}

/**
 * Attaches the uploads of a message, so that its readers can load them; detaches uploads that the message no
 * longer shows.
 */
export const attachMessageUploads = (tx: Tx, me: SignedIn, messageId: string, ids: string[]) =>
  attachUploads(tx, me, { kind: "message", id: messageId }, ids);

/** Detaches the uploads of a deleted message. */
export const detachMessageUploads = (tx: Tx, messageId: string) =>
  run(
    tx,
    sql`update uploads set attached_kind = null, attached_id = null
      where attached_kind = 'message' and attached_id = ${messageId}`,
  );

type MessageFile = { hash: string; mime: string; fileName: string; size: number; open: boolean };

/**
 * A picture or file of a message, for readers who have accepted the conversation.
 * @throws `not-found` otherwise
 */
export async function getMessageFile(db: Db, viewer: Viewer, uploadId: string): Promise<MessageFile> {
  if (!isId(uploadId) || viewer.id === null) throw notFound();
  const me = requireSignedIn(viewer);
  const file = await maybeOne(
    db,
    sql<MessageFile>`
      select u.hash, u.mime, u.file_name as "fileName", u.size::float8 as size, false as open
      from uploads u join messages x on x.id = u.attached_id join conversations c on c.id = x.conversation_id
      join people author on author.id = x.author_id
      join participants p on p.conversation_id = c.id and p.person_id = ${me.id} and p.state = 'accepted'
      where u.id = ${uploadId} and u.attached_kind = 'message' and u.state = 'ok' and x.seq > p.joined_seq
        and x.deleted_at is null
        and ${isNotBlockedEitherWay(me, "author", "c")} and not ${isMessageHiddenFrom(me, "x")}`,
  );
  if (!file) throw notFound();
  return file;
}
