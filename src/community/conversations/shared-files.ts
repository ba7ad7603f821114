import { type Db, limit, many, sql } from "#platform/database";
import {
  encodeCursor,
  andIfGiven,
  type Page,
  toPage,
  personCard,
  type PersonCard,
  readCursor,
} from "#community/common";
import { requireSignedIn } from "#community/friends";
import { conversationRules, LIMITS, type Viewer } from "#community/rules";
import { notFound } from "#platform/refusal";
import { type Conversation, isNotBlockingViewer, isNotBlockedEitherWay } from "./conversation-columns.ts";
import { isMessageHiddenFrom } from "./message-columns.ts";

/**
 * Whether a message has an upload. The index `messages_with_attachments` has the same expression, so that
 * PostgreSQL skips all other messages.
 */
const hasAttachments = (message: string) => sql`${sql.ref(`${message}.body_html`)} like '%/files/%'`;

/** A file or picture sent in a conversation. Pictures have a size in pixels, files a name. */
export type SharedFile = {
  id: string;
  /** Number of the message with the upload. */
  seq: number;
  fileName: string;
  size: number;
  width: number | null;
  height: number | null;
  by: PersonCard | null;
  mine: boolean;
  at: Date;
};

/**
 * Pictures or files of messages the viewer can read, newest first. Empty for a pending request.
 * @throws `not-found` for people who are no participants
 */
export async function listSharedFiles(
  db: Db,
  viewer: Viewer,
  conversation: Conversation,
  query: { what: "pictures" | "files"; after?: string | undefined },
): Promise<Page<SharedFile>> {
  const me = requireSignedIn(viewer);
  if (!conversationRules.see(me, conversation)) throw notFound();
  const cursor = readCursor(query.after, ["number", "id"]);
  const size = LIMITS.page.cards;
  const rows = await many(
    db,
    sql<SharedFile>`
      select u.id, x.seq, u.file_name as "fileName", u.size::float8 as size, u.width, u.height,
        x.created_at as at, x.author_id = ${me.id} as mine,
        case when ${isNotBlockingViewer(me, "author", "c")} then ${personCard("author")} end as by
      from conversations c join participants p on p.conversation_id = c.id and p.person_id = ${me.id}
        and p.state = 'accepted'
      join messages x on x.conversation_id = c.id and x.seq > p.joined_seq and x.deleted_at is null
        and ${hasAttachments("x")}
      join uploads u on u.attached_kind = 'message' and u.attached_id = x.id and u.state = 'ok'
        and (u.file_name <> '') = ${query.what === "files"}
      join people author on author.id = x.author_id
      where c.id = ${conversation.id} and ${isNotBlockedEitherWay(me, "author", "c")}
        and not ${isMessageHiddenFrom(me, "x")}
        ${andIfGiven(cursor, ([seq, id]) => sql`(x.seq, u.id) < (${seq}::integer, ${id}::uuid)`)}
      order by x.seq desc, u.id desc ${limit(size + 1)}`,
  );
  return toPage(rows, size, (last) => encodeCursor(last.seq, last.id));
}
