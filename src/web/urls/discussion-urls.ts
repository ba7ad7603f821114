import { queryString } from "./query-string.ts";

/** Addresses of discussions and posts. */
export const discussionUrls = {
  /**
   * List of discussions. `next` redirects to an unread discussion, if there is any. `from` is the current
   * discussion, which is tried last.
   */
  discussions: (at: { after?: string; next?: "unread"; from?: string | undefined } = {}) =>
    `/discussions${queryString(at)}`,
  /** `to`: the last of the pages that are shown together. `plain`: unresolved mentions of the new post. */
  discussion: (id: string, at: { page?: number; to?: number; post?: number; plain?: string } = {}) =>
    `/discussions/${id}${queryString(at)}${at.post === undefined ? "" : `#post-${at.post}`}`,
  /**
   * The page of a post with an action opened on it: `reply`, `edit`, `remove` or `show`, with the post's id.
   */
  discussionDoing: (id: string, post: number, doing: Record<string, string | number>) =>
    `/discussions/${id}${discussionUrls.postHere(post, doing)}`,
  /**
   * Like `discussionDoing`, but relative to the page of the discussion or resource: full addresses would add
   * 4 KB to a page with twenty posts.
   */
  postHere: (post: number, doing: Record<string, string | number> = {}): string =>
    `${queryString({ post, ...doing })}#${doing["reply"] ? "reply" : `post-${post}`}`,
  manageDiscussion: (id: string, at: { do?: string; posts?: string; post?: string } = {}) =>
    `/discussions/${id}/manage${queryString(at)}`,
  /** Receives the read position; with `upTo`, from pages without scripts. */
  seen: (id: string, upTo?: number) => `/discussions/${id}/seen${queryString({ upTo })}`,
  /** Permanent address of a post, which remains valid when the post is moved. */
  post: (postId: string, at: { do?: "edit" } = {}) => `/posts/${postId}${queryString(at)}`,
  /** Earlier revisions of a post. */
  history: (postId: string, at: { after?: string } = {}) => `/posts/${postId}/history${queryString(at)}`,
  sendReply: (discussionId: string) => `/discussions/${discussionId}/replies`,
  /** Current data of the discussion, for an open page. */
  discussionNow: (id: string, at: { page: number; to: number }) => `/discussions/${id}/now${queryString(at)}`,
  onePost: (id: string) => `/posts/${id}/shown`,
  similar: (title: string) => `/similar${queryString({ title })}`,
} as const;
