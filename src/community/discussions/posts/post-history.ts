import { type Db, limit, many, maybeOne, sql } from "#platform/database";
import { notFound } from "#platform/refusal";
import { encodeCursor, andIfGiven, type Page, type PersonCard, readCursor } from "#community/common";
import { blockedIds, blockerIds, visiblePersonCard } from "#community/friends";
import { type PostFacts, postRules, type Viewer } from "#community/rules";
import { type PostContainer, getPostContainer } from "./post-container.ts";

/**
 * A post's text from the time `at`. `before` is the text that it replaced, null for the first version.
 * `reason` is set if someone other than the author edited.
 */
export type PostVersion = {
  at: Date;
  by: PersonCard | null;
  body: string;
  before: string | null;
  reason: string;
};
export type PostHistory = Page<PostVersion> & {
  post: { id: string; number: number; author: PersonCard | null };
  /** The container of the post. */
  place: {
    kind: "discussion" | "resource";
    id: string;
    title: string;
    language: string;
    groupId: string | null;
  };
};
const PAGE_SIZE = 10;

type PostWithHistory = PostFacts & {
  id: string;
  number: number;
  body: string;
  createdAt: Date;
  placeId: string;
  title: string;
  language: string;
  author: PersonCard | null;
};
/** A former text with the time and editor that replaced it; both are missing for the current text. */
type PastText = { body: string; endedAt: Date | null; endedBy: PersonCard | null; reason: string };

/**
 * Versions of a post, newest first, for its readers; of a removed post, only for moderators.
 * @throws `not-found` for everyone else
 */
export async function getPostHistory(
  db: Db,
  viewer: Viewer,
  postId: string,
  query: { after?: string } = {},
): Promise<PostHistory> {
  const container = await getPostContainer(db, viewer, postId);
  const post = await maybeOne(db, selectPostWithHistory(viewer, postId, container));
  if (
    !post ||
    post.number <= container.lastHiddenNumber ||
    !postRules.seeHistory(viewer, post, container.can)
  )
    throw notFound();
  const texts = await listPastTexts(db, viewer, post, readCursor(query.after, ["time"])?.[0]);
  const rows = texts.slice(0, PAGE_SIZE).map(({ body }, i): PostVersion => {
    const older = texts[i + 1];
    return {
      at: older?.endedAt ?? post.createdAt,
      by: older ? older.endedBy : post.author,
      body,
      before: older?.body ?? null,
      reason: older?.reason ?? "",
    };
  });
  const more = texts[PAGE_SIZE]?.endedAt;
  const kind = container.discussion ? "discussion" : "resource";
  return {
    rows,
    next: more ? encodeCursor(more) : null,
    post: { id: post.id, number: post.number, author: post.author },
    place: {
      kind,
      id: post.placeId,
      title: post.title,
      language: post.language,
      groupId: container.at.groupId,
    },
  };
}

const selectPostWithHistory = (
  viewer: Viewer,
  postId: string,
  { pastBlocks }: PostContainer,
) => sql<PostWithHistory>`
  select p.id, p.number, p.author_id as "authorId", p.state, p.body_md as body, p.created_at as "createdAt",
    coalesce(d.id, r.id) as "placeId", coalesce(d.title, r.title) as title,
    coalesce(d.language, r.language) as language,
    p.author_id = any(${blockerIds(viewer, pastBlocks)}) as "blocksViewer",
    p.author_id = any(${blockedIds(viewer)}) as "viewerBlocks",
    ${visiblePersonCard(viewer, "author", pastBlocks)} as author
  from posts p join people author on author.id = p.author_id
  left join discussions d on d.id = p.discussion_id left join resources r on r.id = p.resource_id
  where p.id = ${postId}`;

/**
 * Texts of a post, newest first, beginning with the text that was replaced at `from`. Returns one text more
 * than a page: the text that precedes the last version of the page.
 */
async function listPastTexts(
  db: Db,
  viewer: Viewer,
  post: PostWithHistory,
  from: Date | undefined,
): Promise<PastText[]> {
  const replaced = await many(
    db,
    sql<PastText>`
      select r.body_md as body, r.replaced_at as "endedAt", ${visiblePersonCard(viewer, "by")} as "endedBy",
        r.reason
      from post_revisions r join people by on by.id = r.replaced_by
      where r.post_id = ${post.id} ${andIfGiven(from, (at) => sql`r.replaced_at <= ${at}`)}
      order by r.replaced_at desc ${limit(PAGE_SIZE + 1)}`,
  );
  return from
    ? replaced
    : [{ body: post.body, endedAt: null, endedBy: null, reason: "" }, ...replaced.slice(0, PAGE_SIZE)];
}
