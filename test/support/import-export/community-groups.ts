import { DAY, HOUR } from "#platform/clock";
import { many, sql } from "#platform/database";
import {
  archiveDiscussion,
  addComment,
  deletePost,
  unhideReviewedPost,
  hidePost,
  mergeDiscussion,
  NewComment,
  NewDiscussion,
  NewReply,
  NewSplit,
  addReaction,
  reply,
  resolveDiscussion,
  setFollowLevel,
  setSlowMode,
  splitDiscussion,
  startDiscussion,
} from "#community/discussions";
import {
  banFromGroup,
  createGroup,
  expireInvitations,
  inviteToGroup,
  NewGroup,
  updateGroup,
} from "#community/groups";
import { addLink, createCollection, NewLink, removeResource, ResourceRemoval } from "#community/resources";
import type { SignedIn } from "#community/rules";
import type { TestDatabase } from "../setup/test-database.ts";

const parseNewGroup = (more: object) =>
  NewGroup.parse({ name: "Seed swap", visibility: "private", joinPolicy: "request", ...more });
const SITE = { whoCreatesGroups: "members", newcomersGroups: "approval" } as const;

/** Adds a pending and an expired invitation, and a ban. */
export async function addPendingMemberships(
  { db, inTransaction: within, clock }: TestDatabase,
  me: SignedIn,
): Promise<void> {
  const { id: groupId } = await within((tx) =>
    createGroup(tx, me, parseNewGroup({ name: "At the door" }), SITE),
  );
  const others = await many(
    db,
    sql<{ id: string }>`
      select case when low_id = ${me.id} then high_id else low_id end as id from friendships
      where ${me.id} in (low_id, high_id) and state = 'friends' order by 1 limit 3`,
  );
  const [late, invited, out] = others.map(({ id }) => id) as [string, string, string];
  await within((tx) => inviteToGroup(tx, me, { groupId, personId: late }));
  clock.pass(31 * DAY);
  await within(expireInvitations);
  for (const personId of [invited, out]) await within((tx) => inviteToGroup(tx, me, { groupId, personId }));
  await within((tx) =>
    banFromGroup(tx, me, { groupId, personId: out, reason: "It was too loud.", days: 30 }),
  );
}

/**
 * Creates a group that was private and is now public: content from before stays visible to members only. The
 * group has slow mode and permission settings.
 */
export async function createOpenedGroup(database: TestDatabase, me: SignedIn) {
  const { inTransaction: within, clock } = database;
  const { id: groupId } = await within((tx) => createGroup(tx, me, parseNewGroup({}), SITE));
  const start = (title: string) => {
    clock.pass(HOUR);
    return within((tx) =>
      startDiscussion(tx, me, NewDiscussion.parse({ groupId, title, body: "Between us.", tags: [] })),
    );
  };
  const among = {
    discussion: (await start("Who owes whom?")).id,
    resource: (
      await within((tx) =>
        addLink(tx, me, NewLink.parse({ groupId, title: "Our list", url: "https://example.org/list" })),
      )
    ).id,
    collection: (await within((tx) => createCollection(tx, me, { groupId, title: "Ours", about: "" }))).id,
  };
  for (const historyPolicy of ["from_joining", "shared"] as const)
    await within((tx) => updateGroup(tx, me, { groupId, historyPolicy }));
  await within((tx) =>
    updateGroup(tx, me, {
      groupId,
      visibility: "public",
      repliesBy: "readers",
      startsBy: "moderators",
      eventsBy: "established",
      invitesBy: "moderators",
    }),
  );
  const { id: open } = await start("What is there to swap?");
  await createSplitDiscussion(database, me, { from: open, older: among.discussion });
  await within((tx) => setSlowMode(tx, me, { discussionId: open, seconds: 60, reason: "It goes too fast." }));
  await archiveAndRemove(database, me, { groupId, discussion: (await start("What was there to swap?")).id });
  return { among, open };
}

/** Archives a discussion with followers; adds a resource with a comment, and a removed resource. */
async function archiveAndRemove(
  { inTransaction: within }: TestDatabase,
  me: SignedIn,
  at: { groupId: string; discussion: string },
) {
  await within((tx) => setFollowLevel(tx, me, { discussionId: at.discussion, level: "normal" }));
  await within((tx) => archiveDiscussion(tx, me, { discussionId: at.discussion, reason: "It is over." }));
  const keep = (title: string) =>
    within((tx) =>
      addLink(tx, me, NewLink.parse({ groupId: at.groupId, title, url: `https://example.org/${title}` })),
    );
  const [kept, taken] = [await keep("beans"), await keep("weeds")];
  const { id: postId } = await within((tx) =>
    addComment(tx, me, NewComment.parse({ resourceId: kept.id, body: "Good ones." })),
  );
  await within((tx) => addReaction(tx, me, { postId, emoji: "🌱" }));
  await within((tx) => removeResource(tx, me, ResourceRemoval.parse({ resourceId: taken.id, reason: "" })));
}

/**
 * Creates a discussion with one reply split into a new discussion, one moved into an older one, one removed,
 * and an accepted answer.
 */
async function createSplitDiscussion(
  { inTransaction: within, clock }: TestDatabase,
  me: SignedIn,
  { from, older }: { from: string; older: string },
) {
  const post = (body: string, replyTo?: string) => {
    clock.pass(HOUR);
    return within((tx) => reply(tx, me, NewReply.parse({ discussionId: from, body, replyTo })));
  };
  const split = (postId: string) =>
    within((tx) =>
      splitDiscussion(
        tx,
        me,
        NewSplit.parse({ discussionId: from, postIds: [postId], title: "Something else", reason: "It is." }),
      ),
    );
  const first = await post("Beans, and who weeds?");
  await split(first.id);
  const second = await post("Who still owes me peas?");
  const { id } = await split(second.id);
  await within((tx) =>
    mergeDiscussion(tx, me, {
      discussionId: id,
      into: older,
      visibility: "public",
      reason: "It belongs there.",
    }),
  );
  const deleted = await post("Weeds.");
  await within((tx) => deletePost(tx, me, { postId: deleted.id, reason: "" }));
  for (const body of ["Beans for sale.", "Beans for free."]) {
    const sold = await post(body);
    await within((tx) => hidePost(tx, sold.id));
    if (body.endsWith("free.")) await within((tx) => unhideReviewedPost(tx, me, sold.id));
  }
  const answer = await post("Beans.", deleted.id);
  await within((tx) => resolveDiscussion(tx, me, { discussionId: from, postId: answer.id, reason: "" }));
}

/** Creates a group that awaits approval, so only its owner and staff can see it. */
export async function createPendingGroup({ inTransaction: within }: TestDatabase, me: SignedIn) {
  const waiting = parseNewGroup({ name: "Not let in", visibility: "public", joinPolicy: "open" });
  const { slug } = await within((tx) => createGroup(tx, { ...me, trust: "new" }, waiting, SITE));
  return { waiting: slug };
}
