import { answerNow, type ReadBy } from "../live/read-now.ts";
import { reading } from "../visit.ts";
import { type DiscussionData, discussionPage } from "./discussion-data.ts";

/** The current data that an open page takes over. */
export type Now = Pick<DiscussionData, "asOf" | "discussion" | "posts" | "lines" | "page" | "upTo" | "pages" | "may" | "held" | "sidebar"> &
  ReadBy;

/**
 * One page of a discussion as it is now, for an open page. It does not move the read position: only posts
 * that are then in view count, as the page reports.
 */
export const loader = reading(({ visit, viewer, quick, url, params }) =>
  answerNow(async (): Promise<Now> => {
    const { discussion, posts, lines, page, upTo, pages, may, held, sidebar } = await discussionPage(
      quick,
      viewer,
      params["id"]!,
      url,
      visit.now,
    );
    return { readBy: viewer.id, asOf: visit.now.getTime(), discussion, posts, lines, page, upTo, pages, may, held, sidebar };
  }),
);
