import { type GroupFacts, groupRules, type Visibility } from "./groups.ts";
import { LIMITS } from "./limits.ts";
import { isSignedIn, isStaff, type Viewer } from "./viewer.ts";

/**
 * Which posts of newcomers need approval: none, those with external links, those and the first post, or all.
 */
export const APPROVAL_MODES = ["off", "links", "first", "all"] as const;
export type ApprovalMode = (typeof APPROVAL_MODES)[number];

type ApprovalFacts = {
  linksOut: number;
  /** The author has published posts before. */
  before: boolean;
  /** Number of people with open or upheld reports of the author's content. */
  reportedBy: number;
};

/**
 * Rules on which posts need approval (product rules, 2.16, and 4.9 for people reported three times), and who
 * approves them.
 */
export const firstPostRules = {
  /** Whether the post needs approval. `place.moderate`: the author moderates the group or resource. */
  waits: (viewer: Viewer, look: ApprovalMode, can: { moderate: boolean }, text: ApprovalFacts) =>
    firstPostRules.concerns(viewer, can) &&
    (look === "all" ||
      (look !== "off" && text.linksOut > 0) ||
      (look === "first" && !text.before) ||
      text.reportedBy >= LIMITS.pendingPosts.reportedBy),
  /** Whether posts of this author can need approval at all. */
  concerns: (viewer: Viewer, can: { moderate: boolean }) =>
    viewer.trust === "new" && !isStaff(viewer) && !can.moderate,
  /** Whether an edit by a newcomer adds links, which would otherwise bypass approval. */
  addsLinks: (
    viewer: Viewer,
    look: ApprovalMode,
    can: { moderate: boolean },
    links: { before: number; now: number },
  ) => look !== "off" && firstPostRules.concerns(viewer, can) && links.now > links.before,
  /**
   * Whether the viewer may approve or return the post. `sees`: they can read its discussion or resource, or
   * could read the new discussion.
   */
  judge: (viewer: Viewer, it: { authorId: string; group: GroupFacts | null; sees: boolean }) =>
    isSignedIn(viewer) &&
    !viewer.limited &&
    viewer.id !== it.authorId &&
    it.sees &&
    (it.group ? groupRules.moderate(viewer, it.group) : isStaff(viewer)),
  /**
   * Whether a pending post may be published with its former audience: not if its group has become public
   * since.
   */
  stillFor: (visibility: Visibility, group: Pick<GroupFacts, "visibility">) =>
    visibility === group.visibility || group.visibility !== "public",
};
