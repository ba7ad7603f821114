import { type GroupFacts, groupRules, type Visibility } from "./groups.ts";
import { LIMITS } from "./limits.ts";
import { isSignedIn, isStaff, type Viewer } from "./viewer.ts";

/** Which newcomers' posts need approval: none, those with external links, these and the first one, or all. */
export const APPROVAL_MODES = ["off", "links", "first", "all"] as const;
export type ApprovalMode = (typeof APPROVAL_MODES)[number];

type ApprovalFacts = {
  linksOut: number;
  /** They have published posts already. */
  before: boolean;
  /** Number of people whose reports of their content are open or upheld. */
  reportedBy: number;
};

/**
 * Which posts need approval (product rules, 2.16, and 4.9 for people reported three times), and who approves.
 */
export const firstPostRules = {
  /** `place.moderate`: whether they moderate the place themselves. */
  waits: (viewer: Viewer, look: ApprovalMode, place: { moderate: boolean }, text: ApprovalFacts) =>
    firstPostRules.concerns(viewer, place) &&
    (look === "all" ||
      (look !== "off" && text.linksOut > 0) ||
      (look === "first" && !text.before) ||
      text.reportedBy >= LIMITS.pendingPosts.reportedBy),
  /** Whether any of their posts could need approval. */
  concerns: (viewer: Viewer, place: { moderate: boolean }) =>
    viewer.trust === "new" && !isStaff(viewer) && !place.moderate,
  /** Links added by a newcomer's edit would bypass approval. */
  addsLinks: (
    viewer: Viewer,
    look: ApprovalMode,
    place: { moderate: boolean },
    links: { before: number; now: number },
  ) => look !== "off" && firstPostRules.concerns(viewer, place) && links.now > links.before,
  /** Approve or return it. `sees`: they can read its container, or could read the new discussion. */
  judge: (viewer: Viewer, it: { authorId: string; group: GroupFacts | null; sees: boolean }) =>
    isSignedIn(viewer) &&
    !viewer.limited &&
    viewer.id !== it.authorId &&
    it.sees &&
    (it.group ? groupRules.moderate(viewer, it.group) : isStaff(viewer)),
  /** A post written for the members of a group stays theirs when the group becomes public. */
  stillFor: (visibility: Visibility, group: Pick<GroupFacts, "visibility">) =>
    visibility === group.visibility || group.visibility !== "public",
};
