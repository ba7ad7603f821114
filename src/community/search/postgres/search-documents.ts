import { type Db, many, sql } from "#platform/database";
import { isId } from "#platform/ids";
import { paths } from "#community/common";
import type { Viewer } from "#community/rules";
import type { Index, SearchDocument } from "../search-engine.ts";
import { readableDocuments } from "../search-visibility.ts";

type DocumentRow = Omit<
  SearchDocument,
  "url" | "objectID" | "createdAt" | "updatedAt" | "startsAt" | "endsAt"
> & {
  id: string;
  placeId: string | null;
  createdAt: Date;
  updatedAt: Date;
  startsAt: Date | null;
  endsAt: Date | null;
};

/**
 * Maximum characters of a body that are returned, enough for the longest post. Only files and documents are
 * longer.
 */
export const MAX_BODY_CHARACTERS = 32_000;
/** Maximum number of long texts in memory at once. Each may have a million characters. */
const LONG_TEXTS_AT_ONCE = 25;

/** Maps documents in batches, so that only few long texts are in memory. */
export async function mapInBatches<It extends { index: Index }, R>(
  all: readonly It[],
  work: (share: readonly It[]) => Promise<R[]>,
): Promise<R[]> {
  const size = all.some(({ index }) => index === "resources") ? LONG_TEXTS_AT_ONCE : Math.max(1, all.length);
  const done: R[] = [];
  for (let from = 0; from < all.length; from += size)
    done.push(...(await work(all.slice(from, from + size))));
  return done;
}

/**
 * Loads the documents that the viewer may read right now, by id. `letters`: number of first characters of
 * the text; the whole text if omitted.
 */
export async function loadDocuments(
  db: Db,
  viewer: Viewer,
  index: Index,
  ids: readonly string[],
  letters: number | null = null,
): Promise<Map<string, SearchDocument>> {
  const wanted = ids.filter(isId);
  if (wanted.length === 0) return new Map();
  const { joins, condition } = readableDocuments(index, viewer);
  // Selects current names. The title of a post is the title of its discussion or resource.
  const rows = await many(
    db,
    sql<DocumentRow>`/* by keys */
      select s.id, s.in_index as type, s.kind, case
        when s.in_index = 'posts' then coalesce(pd.title, pr.title, s.title) else s.title
        end as title, s.names, s.tags, ${
          letters === null
            ? sql`s.body`
            : sql`left(s.body,
          ${letters})`
        } as body, s.language,
        s.group_id as "groupId", sg.name as "groupName", sg.slug as "groupSlug", s.author_id as "authorId",
        sa.display_name as "authorName", sa.username as "authorUsername", sa.photo_id as "photoId", sa.state = 'bot' as "isBot",
        s.place_id as "placeId", pd.id as "discussionId", case when s.in_index = 'resources' then s.id
          else pr.id end as "resourceId",
        case when s.in_index = 'messages' then s.place_id
          end as "conversationId", s.number, s.states as is, s.has,
        s.audience = 'group' and s.in_index not in ('people', 'messages')
          and (sg.id is null or (sg.visibility = 'public' and sg.state <> 'pending')) as "isPublic",
        s.likes, s.comments as "commentCount", s.members as "memberCount", s.created_at as "createdAt",
        s.updated_at as "updatedAt", s.starts_at as "startsAt", s.ends_at as "endsAt",
        event.all_day as "allDay", event.time_zone as "timeZone"
      from search_documents s ${joins}
      left join groups sg on sg.id = s.group_id left join people sa on sa.id = s.author_id
      left join discussions pd on s.in_index in ('posts', 'discussions') and pd.id = s.place_id left
      join resources pr on s.in_index = 'posts' and pr.id = s.place_id
      left join calendar_events event on s.in_index = 'events' and event.id = s.id
      where s.id = any(${wanted}::uuid[]) and s.in_index = ${index} and ${condition}`,
  );
  return new Map(rows.map((row) => [row.id, toSearchDocument(row)]));
}

const toSeconds = (at: Date) => Math.floor(at.getTime() / 1000);

function toSearchDocument({
  id,
  placeId: _,
  createdAt,
  updatedAt,
  startsAt,
  endsAt,
  ...row
}: DocumentRow): SearchDocument {
  const document = {
    ...row,
    objectID: id,
    createdAt: toSeconds(createdAt),
    updatedAt: toSeconds(updatedAt),
    startsAt: startsAt?.getTime() ?? null,
    endsAt: endsAt?.getTime() ?? null,
    url: "",
  };
  return { ...document, url: documentUrl(document) };
}

/** Path of the document's page. Posts and messages use a permanent link that remains valid after moves. */
function documentUrl({
  type,
  objectID,
  groupSlug,
  discussionId,
  resourceId,
  conversationId,
  number,
}: SearchDocument): string {
  if (type === "people") return paths.person(objectID);
  if (type === "groups") return paths.group(groupSlug ?? objectID);
  if (type === "discussions") return paths.discussion(objectID);
  if (type === "events") return paths.event(objectID);
  if (type === "messages") return paths.message(conversationId ?? "", number ?? 0);
  if (type === "posts" && discussionId) return paths.post(objectID);
  return paths.resource(resourceId ?? objectID, type === "posts" ? (number ?? undefined) : undefined);
}
