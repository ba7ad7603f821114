import type { Discussion, PostView } from "#community/discussions";
import type { Visibility } from "#community/rules";
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
  /** They are comments: nothing is split off, marked as unread or kept for oneself. */
  comments?: true;
};
