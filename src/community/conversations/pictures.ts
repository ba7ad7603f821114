import { type Database, type Db, maybeOne, run, sql, type Tx } from "#platform/database";
import { isId } from "#platform/ids";
import { readText } from "#platform/markup";
import { invalid, notFound, Refusal } from "#platform/refusal";
import type { Storage } from "#platform/storage";
import { assertFewPictures, filesIn, keepUploadsIn, type NewPicture, picturesIn, storePicture } from "#community/common";
import { signedIn } from "#community/friends";
import { type ConversationFacts, conversationRules, LIMITS, type SignedIn, type Viewer } from "#community/rules";
import { conversationFor } from "./conversation.ts";
import { readIn } from "./inbox.ts";
import { hiddenFrom } from "./messages.ts";

const noLonger = () => new Refusal("not-allowed", "You can no longer message this person.");

/**
 * Stores a picture for a message being written; `as` is its id, if given.
 * @throws `not-found` for people who are no participants, `not-allowed` if they may not write there, and what
 * `storePicture` throws
 */
export async function addMessagePicture(
  house: { database: Database; storage: Storage },
  viewer: Viewer,
  conversationId: string,
  bytes: Buffer,
  as?: string,
): Promise<NewPicture> {
  const conversation = await conversationFor(house.database.db, viewer, conversationId);
  if (!conversationRules.write(viewer, conversation)) throw noLonger();
  return storePicture(house, signedIn(viewer), bytes, as);
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
  const text = readText(body, id);
  const place = { kind: "message" as const, id };
  const files = await filesIn(tx, me, place, text.files);
  if (files.length > 0 && !conversationRules.sendFiles(me, to))
    throw new Refusal("not-allowed", "You can send files once you have been here for a while.");
  if (files.length > LIMITS.messageFiles) throw invalid("body", "Ten files in one message are enough.");
  if (text.pictures.length === 0) return { html: text.html(), uploads: files };
  const pictures = await picturesIn(tx, me, place, text.pictures);
  assertFewPictures(me, pictures.size);
  return { html: text.html({ pictures }), uploads: [...files, ...[...pictures.values()].map((it) => it.id)] };
}

/** A preview is no stored message. */
const PREVIEW = "preview";

/**
 * Renders a text as it would appear in a conversation, with the viewer's own pictures. Stores nothing.
 * @throws `not-signed-in`, `not-found` for people who are no participants, `not-allowed` after a block
 */
export async function messagePreview(
  db: Db,
  viewer: Viewer,
  { conversationId, body }: { conversationId: string; body: string },
): Promise<{ html: string }> {
  const me = signedIn(viewer);
  if (!conversationRules.write(me, await conversationFor(db, me, conversationId))) throw noLonger();
  const text = readText(body, PREVIEW);
  const pictures = await picturesIn(db, me, { kind: "message", id: null }, text.pictures);
  return { html: text.html({ pictures }) };
}

/**
 * Attaches the uploads of a message, so that its readers can load them; detaches those it no longer shows.
 */
export const keepMessageUploads = (tx: Tx, me: SignedIn, messageId: string, ids: string[]) =>
  keepUploadsIn(tx, me, { kind: "message", id: messageId }, ids);

/** Detaches the uploads of a withdrawn message. */
export const dropMessageUploads = (tx: Tx, messageId: string) =>
  run(tx, sql`update uploads set attached_kind = null, attached_id = null where attached_kind = 'message' and attached_id = ${messageId}`);

type MessageFile = { hash: string; mime: string; fileName: string; size: number; open: boolean };

/**
 * A picture or file of a message, for readers who have accepted the conversation.
 * @throws `not-found` otherwise
 */
export async function messageFileFor(db: Db, viewer: Viewer, uploadId: string): Promise<MessageFile> {
  if (!isId(uploadId) || viewer.id === null) throw notFound();
  const me = signedIn(viewer);
  const file = await maybeOne(
    db,
    sql<MessageFile>`
      select u.hash, u.mime, u.file_name as "fileName", u.size::float8 as size, false as open
      from uploads u join messages x on x.id = u.attached_id join conversations c on c.id = x.conversation_id join people author on author.id = x.author_id
      join participants p on p.conversation_id = c.id and p.person_id = ${me.id} and p.state = 'accepted'
      where u.id = ${uploadId} and u.attached_kind = 'message' and u.state = 'ok' and x.seq > p.joined_seq and x.deleted_at is null
        and ${readIn(me, "author")} and not ${hiddenFrom(me, "x")}`,
  );
  if (!file) throw notFound();
  return file;
}
