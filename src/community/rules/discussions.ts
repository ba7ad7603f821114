import { type ContentFacts, type GroupFacts, groupRules } from "./groups.ts";
import { LIMITS } from "./limits.ts";
import { isSignedIn, isStaff, type Viewer } from "./viewer.ts";

/** `authorId` is null if the viewer may not know the author. */
export type DiscussionFacts = {
  group: GroupFacts;
  state: "open" | "archived" | "deleted";
  authorId: string | null;
  locked: boolean;
  audience: ContentFacts["audience"];
  lastPostAt: Date;
};
export type PostFacts = {
  authorId: string | null;
  state: "published" | "hidden" | "deleted_by_author" | "removed" | "moved";
  /** There is a block between the viewer and the author, in either direction. */
  blocksViewer: boolean;
  viewerBlocks: boolean;
};
/**
 * Facts of a hidden post. `hiddenAt`: null if reports did not hide the post, or it was imported as hidden;
 * `returnedAt`: when a moderator asked its author for changes.
 */
export type HiddenFacts = { hiddenAt: Date | null; hiddenTimes: number; returnedAt: Date | null };
/** Reason why a post is shown without its text. `filtered`: a filter of the viewer matches it. */
export type PostStub =
  | "deleted"
  | "removed"
  | "moved"
  | "hidden"
  | "blocked"
  | "blocked-by-viewer"
  | "filtered";

/**
 * Notice before a reply: `waking` if it would revive a quiet discussion, `again` if it would be another
 * reply in a row by the same author.
 */
export type ReplyNotice = "waking" | "again" | null;

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const isAuthor = (viewer: Viewer, it: { authorId: string | null }) =>
  viewer.id !== null && it.authorId === viewer.id;

/**
 * Permissions of discussions. Readers of the group can read a discussion, subject to the history policy.
 * People who can restore a deleted discussion can see it.
 */
export const discussionRules = {
  see: (viewer: Viewer, it: DiscussionFacts) =>
    groupRules.readContent(viewer, it.group, { audience: it.audience, at: it.lastPostAt }) &&
    (it.state !== "deleted" || groupRules.moderate(viewer, it.group)),
  reply: (viewer: Viewer, discussionFacts: DiscussionFacts) =>
    discussionRules.see(viewer, discussionFacts) &&
    groupRules.answer(viewer, discussionFacts.group) &&
    discussionFacts.state === "open" &&
    (!discussionFacts.locked || groupRules.moderate(viewer, discussionFacts.group)),
  /**
   * The notice to show before a reply. `ownAgainAt`: time of the viewer's earlier reply, if the last two
   * replies are theirs.
   */
  beforeReply: (it: { lastPostAt: Date; ownAgainAt: Date | null }, now: Date): ReplyNotice => {
    if (now.getTime() - it.lastPostAt.getTime() > LIMITS.longQuietDays * DAY) return "waking";
    return it.ownAgainAt !== null && now.getTime() - it.ownAgainAt.getTime() < DAY ? "again" : null;
  },
  react: (viewer: Viewer, it: DiscussionFacts) =>
    discussionRules.see(viewer, it) && groupRules.answer(viewer, it.group) && it.state === "open",
  moderate: (viewer: Viewer, it: DiscussionFacts) =>
    discussionRules.see(viewer, it) && groupRules.moderate(viewer, it.group),
  /** Whether the viewer may perform moderator actions other than restoring. */
  lead: (viewer: Viewer, it: DiscussionFacts) =>
    it.state !== "deleted" && discussionRules.moderate(viewer, it),
  rename: (viewer: Viewer, it: DiscussionFacts) =>
    discussionRules.lead(viewer, it) ||
    (isAuthor(viewer, it) && it.state === "open" && groupRules.write(viewer, it.group)),
  resolve: (viewer: Viewer, it: DiscussionFacts) =>
    discussionRules.lead(viewer, it) ||
    (isAuthor(viewer, it) && it.state === "open" && groupRules.write(viewer, it.group)),

  /** Audience of a merged discussion: members-only if either discussion was. */
  audienceOfBoth: (
    one: Pick<DiscussionFacts, "audience">,
    other: Pick<DiscussionFacts, "audience">,
  ): DiscussionFacts["audience"] =>
    one.audience === "members" || other.audience === "members" ? "members" : "group",

  /** The stub that this viewer sees in place of a post's text; null if they can read it. */
  stub: (viewer: Viewer, post: PostFacts, moderates: boolean): PostStub | null => {
    if (post.state === "deleted_by_author") return "deleted";
    if (post.state === "removed" || post.state === "moved") return post.state;
    if (post.state === "hidden" && !isAuthor(viewer, post) && !moderates) return "hidden";
    if (post.blocksViewer) return "blocked";
    return post.viewerBlocks ? "blocked-by-viewer" : null;
  },
  /** Maximum mentions in one post. */
  mostMentions: (viewer: Viewer) =>
    viewer.trust === "new" && !isStaff(viewer) ? LIMITS.mentions.newMember : LIMITS.mentions.post,
  mostPictures: (viewer: Viewer) =>
    viewer.trust === "new" && !isStaff(viewer) ? LIMITS.postPicture.newMember : LIMITS.postPicture.count,
  /** Maximum external links in one post. */
  mostLinks: (viewer: Viewer) =>
    viewer.trust === "new" && !isStaff(viewer) ? LIMITS.links.newMember : Infinity,
  /**
   * Whether the person can be mentioned in a group: the account is active, the person can read the text, and
   * there is no block in either direction. `theirs` is the group as that person sees it. Their membership
   * matters even in a public group, which may have members-only content.
   */
  mentionPerson: (
    person: Viewer & { state: string; blockedEitherWay: boolean },
    theirs: GroupFacts,
    audience: ContentFacts["audience"] = "group",
  ) =>
    ["active", "limited"].includes(person.state) &&
    !person.blockedEitherWay &&
    groupRules.read(person, theirs) &&
    (audience === "group" || theirs.viewerState === "member"),
  /**
   * Whether the author can mention the group: they are a member and the group is small enough. A secret
   * group can be mentioned only inside itself (`here`).
   */
  mentionGroup: (_who: Viewer, group: GroupFacts & { membersCount: number }, here: boolean) =>
    group.state === "active" &&
    group.viewerState === "member" &&
    group.membersCount <= LIMITS.mentions.group &&
    (here || group.visibility !== "secret"),
  /**
   * Milliseconds after posting in which the author may edit; null (no limit) for moderators, so that they
   * can keep notices correct.
   */
  editWindow: (viewer: Viewer, can: { moderate: boolean }): number | null => {
    if (can.moderate) return null;
    return viewer.trust === "new" ? DAY : 30 * DAY;
  },
  editPost: (viewer: Viewer, post: Pick<PostFacts, "authorId" | "state">, it: DiscussionFacts) =>
    postRules.edit(viewer, post, { reply: discussionRules.reply(viewer, it) }),
  /** Whether the viewer may edit another person's post, with a reason. */
  amendPost: (viewer: Viewer, post: PostFacts, it: DiscussionFacts) =>
    postRules.amend(viewer, post, { amend: discussionRules.amend(viewer, it) }),
  amend: (viewer: Viewer, it: DiscussionFacts) =>
    discussionRules.lead(viewer, it) && groupRules.amend(viewer, it.group),
};

/** Permissions of posts in discussions and under resources. `can` has the viewer's permissions there. */
export const postRules = {
  edit: (viewer: Viewer, post: Pick<PostFacts, "authorId" | "state">, can: { reply: boolean }) =>
    isSignedIn(viewer) && isAuthor(viewer, post) && post.state === "published" && can.reply,
  /**
   * Whether the author may edit a hidden post. If reports hid it, the edit makes it visible again and is
   * possible only the first time. If a moderator asked for changes, the edit is reviewed.
   */
  mend: (
    viewer: Viewer,
    post: Pick<PostFacts, "authorId" | "state"> & HiddenFacts,
    can: { reply: boolean },
  ) =>
    isSignedIn(viewer) &&
    isAuthor(viewer, post) &&
    post.state === "hidden" &&
    (post.returnedAt !== null || (post.hiddenAt !== null && post.hiddenTimes === 1)) &&
    can.reply,
  /**
   * Whether the viewer may remove the post: authors may wherever they can read it, even in closed
   * discussions; moderators may too.
   */
  take: (viewer: Viewer, post: Pick<PostFacts, "authorId">, can: { moderate: boolean }) =>
    isSignedIn(viewer) && (isAuthor(viewer, post) || can.moderate),
  amend: (viewer: Viewer, post: PostFacts, can: { amend: boolean }) =>
    !isAuthor(viewer, post) &&
    can.amend &&
    post.state === "published" &&
    discussionRules.stub(viewer, post, true) === null,
  /**
   * Whether the viewer sees earlier versions of the post: readers of the post do; if it is removed, only
   * moderators do.
   */
  seeHistory: (viewer: Viewer, post: PostFacts, can: { see: boolean; moderate: boolean }) => {
    const stub = discussionRules.stub(viewer, post, can.moderate);
    return can.see && (stub === null || (can.moderate && (stub === "deleted" || stub === "removed")));
  },
};
