import { markRead } from "#community/discussions";
import { isSignedIn } from "#community/rules";
import { asked } from "../forms.ts";
import { answerNow } from "../live/read-now.ts";
import { reading } from "../visit.ts";
import { type DiscussionData, discussionPage } from "./discussion-data.ts";

/** What a page that stands open takes over of its discussion as it is now. */
export type Now = Pick<
  DiscussionData,
  "asOf" | "discussion" | "posts" | "lines" | "page" | "upTo" | "pages" | "may" | "held" | "sidebar"
> & {
  atEnd: boolean;
};

/**
 * One page of a discussion as it is now, for who has it open. Only what they really have before their eyes counts as
 * read: so they say whether they are at its end.
 */
export const loader = reading(({ visit, viewer, house, quick, url, params }) =>
  answerNow(async (): Promise<Now> => {
    const { discussion, posts, lines, page, upTo, pages, may, held, sidebar } = await discussionPage(
      quick,
      viewer,
      params["id"]!,
      url,
      visit.now,
    );
    const shown = posts.at(-1)?.number ?? 0;
    const atEnd = asked(url, "read") === "1";
    const marks = atEnd && isSignedIn(viewer) && shown > (discussion.readUpTo ?? 0);
    if (marks) await house.database.inTransaction((tx) => markRead(tx, viewer, { discussionId: discussion.id, upTo: shown }));
    return { asOf: visit.now.getTime(), atEnd, discussion, posts, lines, page, upTo, pages, may, held, sidebar };
  }),
);
