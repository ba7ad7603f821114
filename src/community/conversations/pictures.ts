import { type Database, type Db, maybeOne, run, sql, type Tx } from "#platform/database";
import { isId } from "#platform/ids";
import { readText } from "#platform/markup";
import { notFound, Refusal } from "#platform/refusal";
import type { Storage } from "#platform/storage";
import { keepPicturesIn, type NewPicture, picturesIn, storePicture } from "#community/common";
import { signedIn } from "#community/friends";
import { conversationRules, type SignedIn, type Viewer } from "#community/rules";
import { conversationFor } from "./conversation.ts";
import { readIn } from "./inbox.ts";
import { hiddenFrom } from "./messages.ts";

/**
 * Takes a picture for a message that is being written. Throws `not-found` for who is not in the conversation, `not-allowed`
 * for who may not write there, and what `storePicture` throws.
 */
export async function addMessagePicture(
  house: { database: Database; storage: Storage },
  viewer: Viewer,
  conversationId: string,
  bytes: Buffer,
): Promise<NewPicture> {
  const conversation = await conversationFor(house.database.db, viewer, conversationId);
  if (!conversationRules.write(viewer, conversation)) throw new Refusal("not-allowed", "You can no longer message this person.");
  return storePicture(house, signedIn(viewer), bytes);
}

/** A message's HTML, with the pictures of its author's that it shows; their ids have to be kept with it. */
export async function renderMessage(tx: Tx, me: SignedIn, messageId: string, body: string): Promise<{ html: string; pictures: string[] }> {
  const text = readText(body, messageId);
  if (text.pictures.length === 0) return { html: text.html(), pictures: [] };
  const pictures = await picturesIn(tx, me, { kind: "message", id: messageId }, text.pictures);
  return { html: text.html({ pictures }), pictures: [...pictures.values()].map(({ id }) => id) };
}

/** They are seen by those who read the message, from now on; those that it no longer shows belong to nothing. */
export const keepMessagePictures = (tx: Tx, me: SignedIn, messageId: string, ids: string[]) =>
  keepPicturesIn(tx, me, { kind: "message", id: messageId }, ids);

/** What a message that is taken back showed belongs to nothing. */
export const dropMessagePictures = (tx: Tx, messageId: string) =>
  run(tx, sql`update uploads set attached_kind = null, attached_id = null where attached_kind = 'message' and attached_id = ${messageId}`);

type MessageFile = { hash: string; mime: string; fileName: string; size: number; open: boolean };

/** A picture in a message, for whoever reads that message and has accepted the conversation. `not-found` for all else. */
export async function messageFileFor(db: Db, viewer: Viewer, uploadId: string): Promise<MessageFile> {
  if (!isId(uploadId) || viewer.id === null) throw notFound();
  const me = signedIn(viewer);
  const file = await maybeOne(
    db,
    sql<MessageFile>`
      select u.hash, u.mime, '' as "fileName", u.size::float8 as size, false as open
      from uploads u join messages x on x.id = u.attached_id join conversations c on c.id = x.conversation_id join people author on author.id = x.author_id
      join participants p on p.conversation_id = c.id and p.person_id = ${me.id} and p.state = 'accepted'
      where u.id = ${uploadId} and u.attached_kind = 'message' and x.seq > p.joined_seq and x.deleted_at is null
        and ${readIn(me, "author")} and not ${hiddenFrom(me, "x")}`,
  );
  if (!file) throw notFound();
  return file;
}
