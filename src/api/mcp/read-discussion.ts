import { findRecords, withTable } from "#baas/data";
import { notFound } from "#platform/refusal";
import { toTableCaller } from "../rest/index.ts";
import { pagePaths, pageUrl, readReference } from "./addresses.ts";
import type { McpCall } from "./tool.ts";

/** Maximum characters of the posts in one answer; further posts are on the next page. */
const MAX_CHARACTERS = 60_000;
export const MAX_POSTS = 50;

export type DiscussionPost = {
  id: string;
  number: number;
  author: string | null;
  text: string | null;
  /** Why the text is hidden from the reader; null if it is not. */
  hidden: string | null;
  created: string;
  url: string;
};
export type DiscussionWithPosts = {
  id: string;
  title: string;
  groupId: string;
  url: string;
  tags: string[];
  locked: boolean;
  resolved: boolean;
  lastNumber: number;
  posts: DiscussionPost[];
  /** Number of the last post in this answer if more posts follow; null at the end. */
  next: number | null;
};
type EntityRecord = Record<string, unknown>;

/** Records of an entity that the caller may read. */
export const findEntityRecords = ({ app, caller }: McpCall, entity: string, query: object) =>
  withTable(app.tables, entity, (table) =>
    findRecords(app.tables, toTableCaller({ caller }), table, query),
  ) as Promise<EntityRecord[]>;

/**
 * Reads the posts of a discussion after the post number `after`. `reference` is the id or address of the
 * discussion or of one of its posts.
 * @throws `not-found` for a discussion that the caller may not know of
 */
export async function readDiscussion(
  call: McpCall,
  { reference, after, limit }: { reference: string; after: number; limit: number },
): Promise<DiscussionWithPosts> {
  const discussion = await findDiscussion(call, readReference(reference));
  const id = String(discussion["objectId"]);
  const found = await findEntityRecords(call, "Posts", {
    where: `discussionId = '${id}' and number > ${after}`,
    sortBy: ["number"],
    pageSize: Math.min(limit, MAX_POSTS) + 1,
  });
  const posts = cutPosts(found.slice(0, limit).map((post) => toPost(call, post)));
  const last = posts.at(-1)?.number ?? after;
  return {
    id,
    title: String(discussion["title"]),
    groupId: String(discussion["groupId"]),
    url: pageUrl(call, pagePaths.discussion(id)),
    tags: Array.isArray(discussion["tags"]) ? discussion["tags"].map(String) : [],
    locked: discussion["locked"] === true,
    resolved: discussion["resolved"] === true,
    lastNumber: Number(discussion["lastNumber"]),
    posts,
    next: found.length > posts.length ? last : null,
  };
}

async function findDiscussion(call: McpCall, id: string): Promise<EntityRecord> {
  const findById = async (entity: string, objectId: string) =>
    (await findEntityRecords(call, entity, { where: `objectId = '${objectId}'`, pageSize: 1 }))[0];
  const discussion = await findById("Discussions", id);
  if (discussion) return discussion;
  const post = await findById("Posts", id);
  const ofPost = post && (await findById("Discussions", String(post["discussionId"])));
  if (!ofPost) throw notFound();
  return ofPost;
}

const toPost = (call: McpCall, post: EntityRecord): DiscussionPost => ({
  id: String(post["objectId"]),
  number: Number(post["number"]),
  author: textOrNull(post["authorName"]),
  text: textOrNull(post["text"]),
  hidden: textOrNull(post["stub"]),
  created: new Date(Number(post["created"])).toISOString(),
  url: pageUrl(call, pagePaths.post(String(post["objectId"]))),
});

const textOrNull = (value: unknown): string | null => (typeof value === "string" ? value : null);

/** Leaves out the posts above the limit of characters, but never the first. */
function cutPosts(posts: DiscussionPost[]): DiscussionPost[] {
  let characters = 0;
  const end = posts.findIndex(({ text }, i) => (characters += text?.length ?? 0) > MAX_CHARACTERS && i > 0);
  return end < 0 ? posts : posts.slice(0, end);
}

/** A discussion as Markdown for a language model. */
export const formatDiscussion = ({ title, url, posts, next }: DiscussionWithPosts): string =>
  [
    `# ${title}`,
    url,
    ...posts.map(formatPost),
    ...(next === null ? [] : [`More posts follow: read again with after = ${next}.`]),
  ].join("\n\n");

const formatPost = ({ number, author, text, hidden, created, id }: DiscussionPost): string =>
  [
    `## Post ${number} by ${author ?? "unknown"}, ${created} (id ${id})`,
    text ?? `(${hidden ?? "hidden"})`,
  ].join("\n\n");
