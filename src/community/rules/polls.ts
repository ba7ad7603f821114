import { type DiscussionFacts, discussionRules } from "./discussions.ts";
import type { Viewer } from "./viewer.ts";

export type PollFacts = {
  /** When the counts are shown: from the beginning, to who has voted, or when it is over. */
  results: "always" | "voted" | "ended";
  closesAt: Date | null;
};

/** A poll stands in a post: whoever may answer there votes, until it closes. */
export const pollRules = {
  closed: (it: PollFacts, now: Date) => it.closesAt !== null && it.closesAt <= now,
  vote: (who: Viewer, it: PollFacts, place: DiscussionFacts, now: Date) => discussionRules.reply(who, place) && !pollRules.closed(it, now),
  /** Once it is closed everybody sees the counts: nothing is decided by them any more. */
  seeResults: (it: PollFacts, hasVoted: boolean, now: Date) =>
    it.results === "always" || pollRules.closed(it, now) || (it.results === "voted" && hasVoted),
};
