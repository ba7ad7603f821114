import type { Discussion, PostView } from "#community/discussions";
import type { Visibility } from "#community/rules";
import { urls } from "../../urls.ts";
import type { DiscussionData } from "../discussion-data.ts";

/** Data on which the text and the buttons of a post depend, beside the post. */
export type PostDisplayContext = {
  discussion: Pick<Discussion, "id" | "language" | "answer">;
  can: Pick<DiscussionData["can"], "reply" | "react" | "moderate" | "resolve">;
  /** First of the discussion's pages that are shown together. */
  page?: number;
  /** Last of the discussion's pages that are shown together. */
  upTo?: number;
  /** Set if the posts are comments, which cannot be split off, marked as unread or bookmarked. */
  comments?: true;
};

/** The context of a post: its discussion, or the resource that it comments on. */
export type PostContext = PostDisplayContext & {
  discussion: Pick<Discussion, "audience" | "lastNumber"> & {
    group: { name: string; visibility: Visibility; membersCount?: number } | null;
  };
  posts: PostView[];
  place: string;
  openActions: DiscussionData["openActions"];
};

/** The part of the context that posts without an open action need. */
export const toDisplayContext = ({
  discussion: { id, language, answer },
  can: { reply, react, moderate, resolve },
  page,
  upTo,
  comments,
}: PostContext): PostDisplayContext => ({
  discussion: { id, language, answer },
  can: { reply, react, moderate, resolve },
  page,
  upTo,
  comments,
});

export type PageRange = Pick<PostDisplayContext, "page" | "upTo">;

/**
 * Query parameters for several pages shown together. A single page needs no parameters: it follows from the
 * post.
 */
export const pageRangeParams = ({ page = 1, upTo = 1 }: PageRange): Record<string, number> =>
  upTo > page ? { page, to: upTo } : {};

/** The address of a post on this page, with an action opened on it. */
export const postLink = (it: PageRange, post: number, doing: Record<string, string> = {}) =>
  urls.postHere(post, { ...pageRangeParams(it), ...doing });
