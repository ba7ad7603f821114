import { liveResponse, type PersonalData } from "../../live/live-response.ts";
import { defineLoader } from "../../request-context.ts";
import { type DiscussionData, loadDiscussionPage } from "../discussion-data.ts";

/** Current data that replaces the data of an open page. */
export type LiveDiscussion = Pick<
  DiscussionData,
  "asOf" | "discussion" | "posts" | "entries" | "page" | "upTo" | "pages" | "can" | "pendingPosts" | "sidebar"
> &
  PersonalData;

/**
 * Returns the current data of one page of a discussion, for an open page. This request does not move the
 * read position: the page reports which posts are visible.
 */
export const loader = defineLoader(({ ctx, viewer, app, url, params }) =>
  liveResponse(async (): Promise<LiveDiscussion> => {
    const { discussion, posts, entries, page, upTo, pages, can, pendingPosts, sidebar } =
      await loadDiscussionPage(app, viewer, params["id"]!, url, ctx.now);
    return {
      readBy: viewer.id,
      asOf: ctx.now.getTime(),
      discussion,
      posts,
      entries,
      page,
      upTo,
      pages,
      can,
      pendingPosts,
      sidebar,
    };
  }),
);
