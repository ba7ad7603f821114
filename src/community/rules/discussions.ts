import { type ContentFacts, type GroupFacts, groupRules } from "./groups.ts";
import { LIMITS } from "./limits.ts";
import { isSignedIn, isStaff, type Viewer } from "./viewer.ts";

/** `authorId` is null where the viewer may not know who it was. */
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
  /** The author blocks the viewer, or the other way round. */
  blocksViewer: boolean;
  viewerBlocks: boolean;
};
/** What hides a post until somebody has looked at it: `hiddenAt` is null where it is not, or came so from elsewhere. */
export type HiddenFacts = { hiddenAt: Date | null; hiddenTimes: number };
/** Why a post keeps its number but shows no text. `filtered`: by a filter of the viewer's. */
export type Stub = "deleted" | "removed" | "moved" | "hidden" | "blocked" | "blocked-by-viewer" | "filtered";

/** What somebody is told before they reply: that they would wake it, or answer themselves once more. */
export type BeforeReply = "waking" | "again" | null;

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const isAuthor = (who: Viewer, it: { authorId: string | null }) => who.id !== null && it.authorId === who.id;

/**
 * A discussion is where its group is: who may read the group may read it, from the day on that the group says. A deleted
 * one is there for those who can restore it.
 */
export const discussionRules = {
  see: (who: Viewer, it: DiscussionFacts) =>
    groupRules.readContent(who, it.group, { audience: it.audience, at: it.lastPostAt }) &&
    (it.state !== "deleted" || groupRules.moderate(who, it.group)),
  reply: (who: Viewer, it: DiscussionFacts) =>
    discussionRules.see(who, it) &&
    groupRules.answer(who, it.group) &&
    it.state === "open" &&
    (!it.locked || groupRules.moderate(who, it.group)),
  /** `ownAgainAt`: when the viewer began to answer themselves, if the last two replies are theirs. */
  beforeReply: (it: { lastPostAt: Date; ownAgainAt: Date | null }, now: Date): BeforeReply => {
    if (now.getTime() - it.lastPostAt.getTime() > LIMITS.longQuietDays * DAY) return "waking";
    return it.ownAgainAt !== null && now.getTime() - it.ownAgainAt.getTime() < DAY ? "again" : null;
  },
  react: (who: Viewer, it: DiscussionFacts) => discussionRules.see(who, it) && groupRules.answer(who, it.group) && it.state === "open",
  moderate: (who: Viewer, it: DiscussionFacts) => discussionRules.see(who, it) && groupRules.moderate(who, it.group),
  /** Everything a moderator does but restoring. */
  lead: (who: Viewer, it: DiscussionFacts) => it.state !== "deleted" && discussionRules.moderate(who, it),
  rename: (who: Viewer, it: DiscussionFacts) =>
    discussionRules.lead(who, it) || (isAuthor(who, it) && it.state === "open" && groupRules.write(who, it.group)),
  resolve: (who: Viewer, it: DiscussionFacts) =>
    discussionRules.lead(who, it) || (isAuthor(who, it) && it.state === "open" && groupRules.write(who, it.group)),

  /** Of two that become one: what was for members alone in either stays so. */
  audienceOfBoth: (one: Pick<DiscussionFacts, "audience">, other: Pick<DiscussionFacts, "audience">): DiscussionFacts["audience"] =>
    one.audience === "members" || other.audience === "members" ? "members" : "group",

  /** What stands in place of a post's text for this viewer; null where the text does. */
  stub: (who: Viewer, post: PostFacts, moderates: boolean): Stub | null => {
    if (post.state === "deleted_by_author") return "deleted";
    if (post.state === "removed" || post.state === "moved") return post.state;
    if (post.state === "hidden" && !isAuthor(who, post) && !moderates) return "hidden";
    if (post.blocksViewer) return "blocked";
    return post.viewerBlocks ? "blocked-by-viewer" : null;
  },
  /** How many names in one post become mentions. */
  mostMentions: (who: Viewer) => (who.trust === "new" && !isStaff(who) ? LIMITS.mentions.newMember : LIMITS.mentions.post),
  mostPictures: (who: Viewer) => (who.trust === "new" && !isStaff(who) ? LIMITS.postPicture.newMember : LIMITS.postPicture.count),
  /** How many links out of the house one post may have. */
  mostLinks: (who: Viewer) => (who.trust === "new" && !isStaff(who) ? LIMITS.links.newMember : Infinity),
  /** Who can be called by name in a group: whoever is there, reads it, and is not parted from the writer. `theirs` is how they stand to the group; in a public one some
   * of what stands there is for members alone. */
  mentionPerson: (person: Viewer & { state: string; parted: boolean }, theirs: GroupFacts, audience: ContentFacts["audience"] = "group") =>
    ["active", "limited"].includes(person.state) &&
    !person.parted &&
    groupRules.read(person, theirs) &&
    (audience === "group" || theirs.viewerState === "member"),
  /** Which groups can be called: one's own, if it is small enough; one that nobody may know of only in its own house. */
  mentionGroup: (_who: Viewer, group: GroupFacts & { membersCount: number }, here: boolean) =>
    group.state === "active" &&
    group.viewerState === "member" &&
    group.membersCount <= LIMITS.mentions.group &&
    (here || group.visibility !== "secret"),
  /** Milliseconds after writing in which one may change what one wrote; null, without end, for who looks after the place: what they say of it has to stay true. */
  editWindow: (who: Viewer, may: { moderate: boolean }): number | null => {
    if (may.moderate) return null;
    return who.trust === "new" ? DAY : 30 * DAY;
  },
  editPost: (who: Viewer, post: Pick<PostFacts, "authorId" | "state">, it: DiscussionFacts) =>
    postRules.edit(who, post, { reply: discussionRules.reply(who, it) }),
  /** Change somebody else's post, with a reason. */
  amendPost: (who: Viewer, post: PostFacts, it: DiscussionFacts) => postRules.amend(who, post, { amend: discussionRules.amend(who, it) }),
  amend: (who: Viewer, it: DiscussionFacts) => discussionRules.lead(who, it) && groupRules.amend(who, it.group),
};

/** A post wherever it stands, in a discussion or under a resource; what the viewer may do there is known. */
export const postRules = {
  edit: (who: Viewer, post: Pick<PostFacts, "authorId" | "state">, may: { reply: boolean }) =>
    isSignedIn(who) && isAuthor(who, post) && post.state === "published" && may.reply,
  /** Bring back by changing it what was hidden since others reported it: its author, the first time. */
  mend: (who: Viewer, post: Pick<PostFacts, "authorId" | "state"> & HiddenFacts, may: { reply: boolean }) =>
    isSignedIn(who) && isAuthor(who, post) && post.state === "hidden" && post.hiddenAt !== null && post.hiddenTimes === 1 && may.reply,
  /** Take it away: one's own wherever one reads it, also where nobody writes any more; another's, who looks after the place. */
  take: (who: Viewer, post: Pick<PostFacts, "authorId">, may: { moderate: boolean }) =>
    isSignedIn(who) && (isAuthor(who, post) || may.moderate),
  amend: (who: Viewer, post: PostFacts, may: { amend: boolean }) =>
    !isAuthor(who, post) && may.amend && post.state === "published" && discussionRules.stub(who, post, true) === null,
  /** What a post said before: for its readers, and, of one that was taken away, for those who look after the place. */
  seeHistory: (who: Viewer, post: PostFacts, may: { see: boolean; moderate: boolean }) => {
    const stub = discussionRules.stub(who, post, may.moderate);
    return may.see && (stub === null || (may.moderate && (stub === "deleted" || stub === "removed")));
  },
};
