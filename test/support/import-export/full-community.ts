import { DAY, HOUR, addMilliseconds } from "#platform/clock";
import { many, one, run, sql } from "#platform/database";
import { openFolderStorage } from "#platform/storage";
import { deleteMessage, NewMessage, reactToMessage, sendMessage } from "#community/conversations";
import {
  archiveDiscussion,
  addComment,
  deletePost,
  unhideReviewedPost,
  hidePost,
  editPost,
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
  castVote,
} from "#community/discussions";
import { blockPerson } from "#community/friends";
import {
  banFromGroup,
  createGroup,
  expireInvitations,
  inviteToGroup,
  NewGroup,
  pinGroup,
  updateGroup,
} from "#community/groups";
import {
  addDocument,
  addLink,
  editResource,
  createCollection,
  NewDocument,
  NewLink,
  removeResource,
  ResourceChange,
  ResourceRemoval,
} from "#community/resources";
import type { SignedIn } from "#community/rules";
import type { TestDatabase } from "../setup/test-database.ts";
import { seedDemo } from "../../../src/community/import-export/index.ts";
import { addScheduledContent } from "./scheduled-content.ts";
import { addTraces } from "./traces.ts";
import { addPictures } from "./community-pictures.ts";

/** The demo plus later activity: rows in every table that an archive carries. */
export async function createFullCommunity(database: TestDatabase, folder: string) {
  const t = { database, storage: openFolderStorage(folder) };
  await seedDemo(database, t.storage, "db/demo", {
    now: database.clock.at,
    say: () => {},
    passwordHash: async () => null,
  });
  const [mira, other] = await many(
    database.db,
    sql<{ id: string }>`select id from people where username in ('mira', 'tomas') order by username`,
  );
  const [me, you] = [mira!, other!].map(({ id }): SignedIn => ({
    id,
    role: "member",
    trust: "established",
    limited: false,
  }));
  await database.inTransaction((tx) => blockPerson(tx, me!, { personId: you!.id }));
  await addPendingMemberships(database, me!);
  await addChanges(database, me!);
  const { post: pictured } = await addPictures(database, t.storage, me!);
  const moons = await addTraces(database, me!);
  const ahead = await addScheduledContent(database, me!);
  const opened = await createOpenedGroup(database, me!);
  await addFormerAddresses(database, opened.open);
  await setNotificationChoices(database, me!);
  return { ...t, pictured, moons, ahead, ...opened, ...(await createPendingGroup(database, me!)) };
}

/** One person has stopped all mail, another has chosen kinds and quiet hours. */
async function setNotificationChoices({ db, inTransaction }: TestDatabase, me: SignedIn): Promise<void> {
  const { group } = await one(
    db,
    sql<{
      group: string;
    }>`select group_id as "group" from memberships where person_id = ${me.id} order by 1 limit 1`,
  );
  await inTransaction(async (tx) => {
    await run(tx, sql`update people set mail_level = 'nothing' where username = 'tomas'`);
    await run(
      tx,
      sql`insert into mail_suppressions (person_id, scope, at) values (${me.id}, 'digest', ${tx.now}), (${me.id}, ${`group:${group}`}, ${tx.now})`,
    );
    await run(
      tx,
      sql`insert into notification_choices (person_id, kind, shown, mailed, pushed) values (${me.id}, 'reply', true, false, false)`,
    );
    await run(
      tx,
      sql`insert into notification_settings (person_id, quiet_from, quiet_to, quiet_days, paused_until, digest_every, digest_day, newcomers_apart)
          values (${me.id}, '22:30', '07:00', '{1,5}', ${addMilliseconds(tx.now, DAY)}, 'never', 3, true)`,
    );
  });
}

/** Old paths from an earlier import, and a former username. */
const addFormerAddresses = ({ inTransaction }: TestDatabase, discussion: string) =>
  inTransaction(async (tx) => {
    await run(
      tx,
      sql`insert into address_redirects (path, kind, thing_id)
          select '/t/12', 'discussion', ${discussion}::uuid
          union all select '/t/12/' || number, 'post', id from posts where discussion_id = ${discussion}
          union all select '/p/' || number, 'post', id from posts where discussion_id = ${discussion}
          union all select '/c/7', 'group', group_id from discussions where id = ${discussion}
          union all select '/u/' || username, 'user', id from people where username = 'mira'
          union all (select '/pub/1', 'resource', id from resources order by id limit 1)`,
    );
    await run(
      tx,
      sql`insert into former_usernames (username, person_id, until) select 'mira-before', id, ${addMilliseconds(tx.now, 300 * DAY)} from people where username = 'mira'`,
    );
  });

/** A pinned group, post revisions, a poll with votes, and a document in its second version. */
async function addChanges(database: TestDatabase, me: SignedIn): Promise<void> {
  const { db, inTransaction: within } = database;
  const { id: group } = await one(
    db,
    sql<{
      id: string;
    }>`select group_id as id from memberships where person_id = ${me.id} and state = 'member' order by 1 limit 1`,
  );
  await within((tx) => pinGroup(tx, me, { groupId: group }));
  const asked = {
    pollOptions: "Both\nNeither",
    pollChoice: "several",
    pollResults: "ended",
    pollCloses: addMilliseconds(database.clock.at, 2 * DAY).toISOString(),
  };
  const { id } = await within((tx) =>
    startDiscussion(
      tx,
      me,
      NewDiscussion.parse({ groupId: group, title: "Which of the two?", body: "Say.", tags: [], ...asked }),
    ),
  );
  const { post } = await one(
    db,
    sql<{ post: string }>`select id as post from posts where discussion_id = ${id}`,
  );
  await within((tx) => castVote(tx, me, { postId: post, options: [1, 2] }));
  await addMessageReplies(database, me);
  database.clock.pass(HOUR);
  await within((tx) => editPost(tx, me, { postId: post, body: "Say which.", version: 1 }));
  const added = await within((tx) =>
    addDocument(tx, me, NewDocument.parse({ groupId: group, title: "Minutes", body: "One.", why: "Kept." })),
  );
  const change = {
    resourceId: added.id,
    changes: 0,
    title: "Minutes",
    why: "Kept.",
    body: "Two.",
    note: "More",
    editsBy: "members",
  };
  await within((tx) => editResource(tx, me, ResourceChange.parse(change)));
}

/** A reply to a message with a reaction, and a deleted message. */
async function addMessageReplies({ db, inTransaction: within }: TestDatabase, me: SignedIn): Promise<void> {
  const first = await one(
    db,
    sql<{ id: string; place: string }>`
      select x.id, x.conversation_id as place from messages x join participants p on p.conversation_id = x.conversation_id and p.person_id = ${me.id} and p.state = 'accepted'
      where x.author_id <> ${me.id} and x.deleted_at is null order by x.id limit 1`,
  );
  await within((tx) =>
    sendMessage(
      tx,
      me,
      NewMessage.parse({ conversationId: first.place, body: "That one.", replyTo: first.id }),
    ),
  );
  await within((tx) => reactToMessage(tx, me, { messageId: first.id, emoji: "🌱" }));
  const slip = await within((tx) =>
    sendMessage(tx, me, NewMessage.parse({ conversationId: first.place, body: "Not that one." })),
  );
  await within((tx) => deleteMessage(tx, me, { messageId: slip.id }));
}

const parseNewGroup = (more: object) =>
  NewGroup.parse({ name: "Seed swap", visibility: "private", joinPolicy: "request", ...more });
const SITE = { whoCreatesGroups: "members", newcomersGroups: "approval" } as const;

/** A pending and an expired invitation, and a ban. */
async function addPendingMemberships(
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

/** Content from its private days stays members-only; it has slow mode and permission settings. */
async function createOpenedGroup(database: TestDatabase, me: SignedIn) {
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
    shelf: (await within((tx) => createCollection(tx, me, { groupId, title: "Ours", about: "" }))).id,
  };
  for (const historyPolicy of ["from_joining", "shared"] as const)
    await within((tx) => updateGroup(tx, me, { groupId, historyPolicy }));
  await within((tx) =>
    updateGroup(tx, me, {
      groupId,
      visibility: "public",
      repliesBy: "readers",
      startsBy: "moderators",
      invitesBy: "moderators",
    }),
  );
  const { id: open } = await start("What is there to swap?");
  await createSplitDiscussion(database, me, { from: open, older: among.discussion });
  await within((tx) => setSlowMode(tx, me, { discussionId: open, seconds: 60, reason: "It goes too fast." }));
  await archiveAndRemove(database, me, { groupId, discussion: (await start("What was there to swap?")).id });
  return { among, open };
}

/** An archived discussion with followers, a commented resource and a removed one. */
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
 * A discussion with one reply split into a new discussion, one moved into an older one, one removed, and an
 * accepted answer.
 */
async function createSplitDiscussion(
  { inTransaction: within, clock }: TestDatabase,
  me: SignedIn,
  { from, older }: { from: string; older: string },
) {
  const say = (body: string, replyTo?: string) => {
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
  const first = await say("Beans, and who weeds?");
  await split(first.id);
  const second = await say("Who still owes me peas?");
  const { id } = await split(second.id);
  await within((tx) =>
    mergeDiscussion(tx, me, {
      discussionId: id,
      into: older,
      visibility: "public",
      reason: "It belongs there.",
    }),
  );
  const slip = await say("Weeds.");
  await within((tx) => deletePost(tx, me, { postId: slip.id, reason: "" }));
  for (const body of ["Beans for sale.", "Beans for free."]) {
    const sold = await say(body);
    await within((tx) => hidePost(tx, sold.id));
    if (body.endsWith("free.")) await within((tx) => unhideReviewedPost(tx, me, sold.id));
  }
  const answer = await say("Beans.", slip.id);
  await within((tx) => resolveDiscussion(tx, me, { discussionId: from, postId: answer.id, reason: "" }));
}

/** Visible only to its owner and staff so far. */
async function createPendingGroup({ inTransaction: within }: TestDatabase, me: SignedIn) {
  const waiting = parseNewGroup({ name: "Not let in", visibility: "public", joinPolicy: "open" });
  const { slug } = await within((tx) => createGroup(tx, { ...me, trust: "new" }, waiting, SITE));
  return { waiting: slug };
}
