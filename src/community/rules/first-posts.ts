import { type GroupFacts, groupRules, type Visibility } from "./groups.ts";
import { LIMITS } from "./limits.ts";
import { isSignedIn, isStaff, type Viewer } from "./viewer.ts";

/** What of newcomers' texts somebody looks at before others read it: nothing, what leads out of the house, that and the first one, or all. */
export const FIRST_LOOKS = ["off", "links", "first", "all"] as const;
export type FirstLook = (typeof FIRST_LOOKS)[number];

type Text = {
  linksOut: number;
  /** Something of theirs stands here already. */
  before: boolean;
  /** How many people have reported what they wrote, and wait for an answer or were right. */
  reportedBy: number;
};

/** Which texts wait until somebody has looked at them (product rules, 2.16, and 4.9 for whom three people have reported), and who does. */
export const firstPostRules = {
  /** `place.moderate`: whether they look after the place themselves. */
  waits: (who: Viewer, look: FirstLook, place: { moderate: boolean }, text: Text) =>
    firstPostRules.concerns(who, place) &&
    (look === "all" ||
      (look !== "off" && text.linksOut > 0) ||
      (look === "first" && !text.before) ||
      text.reportedBy >= LIMITS.heldPosts.reportedBy),
  /** Whether anything of theirs could ever wait. */
  concerns: (who: Viewer, place: { moderate: boolean }) => who.trust === "new" && !isStaff(who) && !place.moderate,
  /** Links that a newcomer puts into what stands already would pass nobody's eyes. */
  addsLinks: (who: Viewer, look: FirstLook, place: { moderate: boolean }, links: { before: number; now: number }) =>
    look !== "off" && firstPostRules.concerns(who, place) && links.now > links.before,
  /** Decide about it. `sees`: they read what it is to stand in, or could read it where it begins something. */
  judge: (who: Viewer, it: { authorId: string; group: GroupFacts | null; sees: boolean }) =>
    isSignedIn(who) && !who.limited && who.id !== it.authorId && it.sees && (it.group ? groupRules.moderate(who, it.group) : isStaff(who)),
  /** What was written for the members of a group is not for everybody by its opening up meanwhile. */
  stillFor: (visibility: Visibility, group: Pick<GroupFacts, "visibility">) =>
    visibility === group.visibility || group.visibility !== "public",
};
