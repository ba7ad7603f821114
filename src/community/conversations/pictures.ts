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
 * Takes a picture for a message that is being written; `as` is its id, where it was given one. Throws `not-found` for who is not in the conversation, `not-allowed`
 * for who may not write there, and what `storePicture` throws.
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
 * A message's HTML, with the pictures of its author's that it shows; their ids, and those of files that it sends along, have
 * to be kept with it. Throws `not-allowed` for files of who may send none, `invalid` for more than ten, and for
 * more pictures than they put into one.
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

/** What is looked at before it is sent is no message yet. */
const PREVIEW = "preview";

/**
 * A text as it would stand in a conversation if the viewer sent it now, with the pictures that they have taken for it. Stores nothing. Throws `not-signed-in`, `not-found` for who is not
 * in it, `not-allowed` after a block.
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

/** They are open to those who read the message, from now on; those that it no longer names belong to nothing. */
export const keepMessageUploads = (tx: Tx, me: SignedIn, messageId: string, ids: string[]) =>
  keepUploadsIn(tx, me, { kind: "message", id: messageId }, ids);

/** What a message that is taken back showed and sent belongs to nothing. */
export const dropMessageUploads = (tx: Tx, messageId: string) =>
  run(tx, sql`update uploads set attached_kind = null, attached_id = null where attached_kind = 'message' and attached_id = ${messageId}`);

type MessageFile = { hash: string; mime: string; fileName: string; size: number; open: boolean };

/** A picture or file in a message, for whoever reads that message and has accepted the conversation. `not-found` for all else. */
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
