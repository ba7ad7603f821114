import { answerNow, type ReadBy } from "../live/read-now.ts";
import { reading } from "../visit.ts";
import { type DiscussionData, discussionPage } from "./discussion-data.ts";

/** What a page that stands open takes over of its discussion as it is now. */
export type Now = Pick<DiscussionData, "asOf" | "discussion" | "posts" | "lines" | "page" | "upTo" | "pages" | "may" | "held" | "sidebar"> &
  ReadBy;

/**
 * One page of a discussion as it is now, for who has it open. It makes nothing read: of what comes, only that counts which they then
 * have before their eyes, as the page tells.
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
