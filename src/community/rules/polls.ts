import { type DiscussionFacts, discussionRules } from "./discussions.ts";
import type { Viewer } from "./viewer.ts";

export type PollFacts = {
  /** When results are visible: always, after voting, or after the poll has closed. */
  results: "always" | "voted" | "ended";
  closesAt: Date | null;
};

/** Permissions of polls. People who may reply to the post may vote until the poll closes. */
export const pollRules = {
  closed: (it: PollFacts, now: Date) => it.closesAt !== null && it.closesAt <= now,
  vote: (viewer: Viewer, it: PollFacts, discussion: DiscussionFacts, now: Date) =>
    discussionRules.reply(viewer, discussion) && !pollRules.closed(it, now),
  /** Whether the viewer sees the results. Everyone sees the results of a closed poll. */
  seeResults: (it: PollFacts, hasVoted: boolean, now: Date) =>
    it.results === "always" || pollRules.closed(it, now) || (it.results === "voted" && hasVoted),
};
