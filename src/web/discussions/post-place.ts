import type { Discussion, PostView } from "#community/discussions";
import type { Visibility } from "#community/rules";
import { urls } from "../urls.ts";
import type { DiscussionData } from "./discussion-data.ts";

/** What a post has to know of the place it stands in: a discussion, or a resource under which it is a comment. */
export type PostPlace = {
  discussion: Pick<Discussion, "id" | "language" | "audience" | "answer" | "lastNumber"> & {
    group: { name: string; visibility: Visibility; membersCount?: number } | null;
  };
  posts: PostView[];
  place: string;
  doing: DiscussionData["doing"];
  may: Pick<DiscussionData["may"], "reply" | "react" | "moderate" | "resolve">;
  /** The pages of the discussion that stand here together. */
  page?: number;
  upTo?: number;
  /** They are comments: nothing is split off, marked as unread or kept for oneself. */
  comments?: true;
};

export type Stretch = Pick<PostPlace, "page" | "upTo">;

/** Several pages that stand together, for an address that is to bring all of them back; nothing for one, which its posts name. */
export const together = ({ page = 1, upTo = 1 }: Stretch): Record<string, number> => (upTo > page ? { page, to: upTo } : {});

/** The way to a post that stands here, with one thing being done to it. */
export const wayTo = (it: Stretch, post: number, doing: Record<string, string> = {}) => urls.postHere(post, { ...together(it), ...doing });
