import { liveResponse, type PersonalData } from "../../live/live-response.ts";
import { defineLoader } from "../../request-context.ts";
import { type DiscussionData, loadDiscussionPage } from "../discussion-data.ts";

/** The current data that an open page takes over. */
export type LiveDiscussion = Pick<
  DiscussionData,
  "asOf" | "discussion" | "posts" | "entries" | "page" | "upTo" | "pages" | "can" | "held" | "sidebar"
> &
  PersonalData;

/**
 * One page of a discussion as it is now, for an open page. It does not move the read position: only posts
 * that are then in view count, as the page reports.
 */
export const loader = defineLoader(({ ctx, viewer, app, url, params }) =>
  liveResponse(async (): Promise<LiveDiscussion> => {
    const { discussion, posts, entries, page, upTo, pages, can, held, sidebar } = await loadDiscussionPage(
      app,
      viewer,
      params["id"]!,
      url,
      ctx.now,
    );
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
      held,
      sidebar,
    };
  }),
);
