import { type Db, limit, many, sql } from "#platform/database";
import { isId } from "#platform/ids";
import { createExcerpt } from "#platform/markup";
import {
  encodeCursor,
  andIfGiven,
  type Page,
  toPage,
  personCard,
  type PersonCard,
  prefixQuery,
  readCursor,
} from "#community/common";
import { requireSignedIn } from "#community/friends";
import { LIMITS, type Viewer } from "#community/rules";
import { isNotBlockingViewer, otherParticipants, isNotBlockedEitherWay } from "./conversation-columns.ts";
import { isMessageHiddenFrom } from "./message-columns.ts";

/** A search hit and its conversation. */
export type FoundMessage = {
  id: string;
  seq: number;
  by: "viewer" | PersonCard | null;
  excerpt: string;
  createdAt: Date;
  conversation: { id: string; name: string; others: PersonCard[] };
};
type FoundRow = Omit<FoundMessage, "by" | "excerpt" | "conversation"> & {
  mine: boolean;
  author: PersonCard | null;
  html: string;
  conversationId: string;
  name: string;
  others: PersonCard[];
};

const PAGE_SIZE = LIMITS.page.cards;

/**
 * Searches the viewer's messages by words, newest first, in one conversation or in all accepted
 * conversations. Any text is valid; a text without words finds nothing.
 * @throws `not-signed-in`
 */
export async function searchMessages(
  db: Db,
  viewer: Viewer,
  query: { search: string; conversationId?: string | undefined; after?: string | undefined },
): Promise<Page<FoundMessage>> {
  const me = requireSignedIn(viewer);
  const words = prefixQuery(query.search);
  const within = query.conversationId || undefined;
  if (words === null || (within !== undefined && !isId(within))) return { rows: [], next: null };
  const cursor = readCursor(query.after, ["time", "id"]);
  // The text condition equals the expression of the index messages_words, so that PostgreSQL uses it. Cards
  // are built only for rows on the page.
  const rows = await many(
    db,
    sql<FoundRow>`
      select x.id, x.seq, x.author_id = ${me.id} as mine, case
        when ${isNotBlockingViewer(me, "author", "c")} then ${personCard("author")}
        end as author, left(x.body_html, 2000) as html,
        x.created_at as "createdAt", c.id as "conversationId", c.name, ${otherParticipants(me, "c")} as others
      from (
        select x.id from participants p join conversations c on c.id = p.conversation_id
        join messages x on x.conversation_id = c.id join people author on author.id = x.author_id
        where p.person_id = ${me.id} and p.state = 'accepted' and x.seq > p.joined_seq
          and x.deleted_at is null
          and to_tsvector('simple', x.body_md) @@ to_tsquery('simple', ${words})
          and ${isNotBlockedEitherWay(me, "author", "c")} and not ${isMessageHiddenFrom(me, "x")}
          ${andIfGiven(within, (id) => sql`c.id = ${id}`)} ${andIfGiven(
            cursor,
            ([at, id]) => sql`(x.created_at,
            x.id) < (${at}, ${id}::uuid)`,
          )}
        order by x.created_at desc, x.id desc ${limit(PAGE_SIZE + 1)}) found
      join messages x on x.id = found.id join conversations c on c.id = x.conversation_id
      join people author on author.id = x.author_id
      order by x.created_at desc, x.id desc`,
  );
  return toPage(rows.map(toFoundMessage), PAGE_SIZE, (last) => encodeCursor(last.createdAt, last.id));
}

const toFoundMessage = ({
  mine,
  author,
  html,
  conversationId,
  name,
  others,
  ...row
}: FoundRow): FoundMessage => ({
  ...row,
  by: mine ? "viewer" : author,
  excerpt: createExcerpt(html, 200),
  conversation: { id: conversationId, name, others },
});
