import { describe, expect, test } from "vitest";
import { many, maybeOne, one, run, sql, type Tx } from "#platform/database";
import { companyOf, sightOf } from "#community/published";
import {
  addPeople,
  editMessage,
  messagesOf,
  reactToMessage,
  conversationFor,
  conversationsOf,
  sendMessage,
  startConversation,
} from "#community/conversations";
import {
  bookmark,
  bookmarksOf,
  callable,
  deletePost,
  discussionFor,
  editPost,
  NewDiscussion,
  NewReply,
  place,
  postFor,
  postsOf,
  quoteOf,
  react,
  reply,
  resolveDiscussion,
  startDiscussion,
  vote,
} from "#community/discussions";
import { acceptFriend, acceptFriendLink, askFriend, block, friendStateWith, makeFriendLink, unblock } from "#community/friends";
import { banFromGroup, inviteByName, inviteToGroup, membersOf, groupFor, removeMember } from "#community/groups";
import { addCurator, addDocument, addLink, comment, commentsOn, NewLink, resourceFor } from "#community/resources";
import { groupRules, type SignedIn } from "#community/rules";
import { aDiscussion, aGroup, aReply, bring, cast, person } from "./cast.ts";
import { testDatabase } from "./setup/database.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;

// What a block does, verb by verb (product rules, 4.3). What a block does to reading is in leaks.test.ts, which asks
// every way to read; here are the verbs, and what those may do whom no block keeps from their duty.

/** Two who meet in a place; `me` does something, and it reaches `other` or not. */
type Meeting = {
  me: SignedIn;
  other: SignedIn;
  groupId: string;
  /** Of another group, with only `me` in it. */
  elsewhereId: string;
  discussionId: string;
  /** In it: a post of each, and of `other` one that asks something. */
  postOfOther: string;
  postOfMe: { id: string; version: number };
  pollOfOther: string;
  /** That the two have had before. */
  conversationId: string;
  /** What one has said there. */
  messageOfMe: string;
  /** How they are called. */
  names: { other: string };
};
type Verb = {
  /** The verb itself, asked as `me`. */
  act: (tx: Tx, at: Meeting) => Promise<unknown>;
  /** A condition: whether it has reached the other. Where there is none, being answered at all is reaching. */
  landed?: (at: Meeting) => ReturnType<typeof sql>;
  /** What has to be so before, as it could be without a block. */
  before?: (tx: Tx, at: Meeting) => Promise<unknown>;
};

const words = { title: "About the shed", body: "The lock is broken." };
const friendship = ({ me, other }: Meeting, state: string) => sql`
  select from friendships where low_id = least(${me.id}::uuid, ${other.id}::uuid) and high_id = greatest(${me.id}::uuid, ${other.id}::uuid) and state = ${state}`;
const called = ({ other }: Meeting) => sql`select from post_mentions where person_id = ${other.id}`;
const invited = ({ other, elsewhereId }: Meeting) =>
  sql`select from memberships where group_id = ${elsewhereId} and person_id = ${other.id} and state = 'invited'`;
const inOneConversation = (kind: string) => (at: Meeting) =>
  sql`
  select from conversations c join participants p on p.conversation_id = c.id and p.person_id = ${at.other.id} and p.state <> 'deleted'
  join messages m on m.conversation_id = c.id and m.author_id = ${at.me.id} and m.body_md = ${words.body} where c.kind = ${kind}`;
const mutual = (tx: Tx, { me, other }: Meeting) =>
  run(tx, sql`update people set privacy = '{"messages":"everyone"}' where id in (${me.id}, ${other.id})`);

/** In a conversation of several both stay, and neither hears the other. */
const several = {
  before: async (tx: Tx, { me, other, names }: Meeting) => {
    await run(tx, sql`update people set privacy = '{"messages":"everyone"}' where username = 'noor' or id = ${other.id}`);
    const { id } = await startConversation(tx, me, { to: ["noor", names.other], name: "Several", body: "Hello." });
    await sendMessage(tx, other, { conversationId: id, body: "Good evening." });
  },
  said: (tx: Tx, { other }: Meeting) =>
    one(
      tx,
      sql<{ conversationId: string; id: string }>`
        select m.conversation_id as "conversationId", m.id from messages m join conversations c on c.id = m.conversation_id
        where c.name = 'Several' and m.author_id = ${other.id}`,
    ),
};
const amongSeveral: Record<string, Verb> = {
  "sendMessage, answering among several": {
    before: several.before,
    act: async (tx, at) => {
      const { conversationId, id } = await several.said(tx, at);
      await sendMessage(tx, at.me, { conversationId, body: words.body, replyTo: id });
    },
    landed: ({ me }) => sql`select from messages where author_id = ${me.id} and reply_to is not null`,
  },
  "reactToMessage, among several": {
    before: several.before,
    act: async (tx, at) => reactToMessage(tx, at.me, { messageId: (await several.said(tx, at)).id, emoji: "👍" }),
    landed: ({ me }) => sql`select from message_reactions where person_id = ${me.id}`,
  },
};

const aLink = async (tx: Tx, by: SignedIn) => (await addLink(tx, by, NewLink.parse({ url: "https://example.org/", title: "A link" }))).id;

/** Every verb by which somebody reaches somebody else. A new one is one line here. */
const REACHING: Record<string, Verb> = {
  askFriend: { act: (tx, { me, other }) => askFriend(tx, me, { personId: other.id, note: "" }), landed: (at) => friendship(at, "pending") },
  acceptFriend: {
    before: (tx, { me, other }) => askFriend(tx, other, { personId: me.id, note: "" }),
    act: (tx, { me, other }) => acceptFriend(tx, me, { personId: other.id }),
    landed: (at) => friendship(at, "friends"),
  },
  acceptFriendLink: {
    act: async (tx, { me, other }) => acceptFriendLink(tx, me, { token: (await makeFriendLink(tx, other)).token }),
    landed: (at) => friendship(at, "friends"),
  },
  "startConversation, with one": {
    before: mutual,
    act: (tx, { me, names }) => startConversation(tx, me, { to: [names.other], name: "", body: words.body }),
    landed: inOneConversation("direct"),
  },
  "startConversation, with several": {
    before: async (tx, at) => {
      await mutual(tx, at);
      await run(tx, sql`update people set privacy = '{"messages":"everyone"}' where username = 'noor'`);
    },
    act: (tx, { me, names }) => startConversation(tx, me, { to: [names.other, "noor"], name: "", body: words.body }),
    landed: inOneConversation("group"),
  },
  sendMessage: {
    act: (tx, { me, conversationId }) => sendMessage(tx, me, { conversationId, body: words.body }),
    landed: inOneConversation("direct"),
  },
  addPeople: {
    before: (tx) => run(tx, sql`update people set privacy = '{"messages":"everyone"}'`),
    async act(tx, { me, names }) {
      const { id } = await startConversation(tx, me, { to: ["noor", "tomas"], name: "", body: words.body });
      await addPeople(tx, me, { conversationId: id, to: [names.other] });
    },
    landed: inOneConversation("group"),
  },
  reactToMessage: {
    async act(tx, { me, other, conversationId }) {
      const said = sql<{ id: string }>`select id from messages where conversation_id = ${conversationId} and author_id = ${other.id}`;
      await reactToMessage(tx, me, { messageId: (await one(tx, said)).id, emoji: "👍" });
    },
    landed: ({ me }) => sql`select from message_reactions where person_id = ${me.id}`,
  },
  editMessage: { act: (tx, { me, messageOfMe }) => editMessage(tx, me, { messageId: messageOfMe, body: "Changed." }) },
  ...amongSeveral,
  "startDiscussion, calling": {
    act: (tx, { me, groupId, names }) =>
      startDiscussion(tx, me, NewDiscussion.parse({ groupId, title: words.title, body: `@${names.other}?` })),
    landed: called,
  },
  "reply, calling": {
    act: (tx, { me, discussionId, names }) => reply(tx, me, NewReply.parse({ discussionId, body: `@${names.other}?` })),
    landed: called,
  },
  "editPost, calling": {
    act: (tx, { me, postOfMe, names }) => editPost(tx, me, { postId: postOfMe.id, version: postOfMe.version, body: `@${names.other}?` }),
    landed: called,
  },
  "comment, calling": {
    act: async (tx, { me, names }) => comment(tx, me, { resourceId: await aLink(tx, me), body: `@${names.other}?` }),
    landed: called,
  },
  "comment, answering": {
    act: async (tx, { me, other }) => {
      const resourceId = await aLink(tx, me);
      const { id } = await comment(tx, other, { resourceId, body: "Why?" });
      await comment(tx, me, { resourceId, body: "So.", replyTo: id });
    },
    landed: ({ me }) => sql`select from posts where author_id = ${me.id} and resource_id is not null and reply_to is not null`,
  },
  "reply, answering": {
    act: (tx, { me, discussionId, postOfOther }) => reply(tx, me, NewReply.parse({ discussionId, body: words.body, replyTo: postOfOther })),
    landed: ({ postOfOther }) => sql`select from posts where reply_to = ${postOfOther}`,
  },
  quoteOf: { act: (tx, { me, postOfOther }) => quoteOf(tx, me, postOfOther) },
  react: {
    act: (tx, { me, postOfOther }) => react(tx, me, { postId: postOfOther, emoji: "👍" }),
    landed: ({ postOfOther }) => sql`select from reactions where post_id = ${postOfOther}`,
  },
  vote: {
    act: (tx, { me, pollOfOther }) => vote(tx, me, { postId: pollOfOther, options: [1] }),
    landed: ({ pollOfOther }) => sql`select from poll_votes where post_id = ${pollOfOther}`,
  },
  resolveDiscussion: {
    act: (tx, { me, discussionId, postOfOther }) => resolveDiscussion(tx, me, { discussionId, postId: postOfOther }),
    before: (tx, { me, discussionId }) => run(tx, sql`update discussions set author_id = ${me.id} where id = ${discussionId}`),
    landed: ({ postOfOther }) => sql`select from discussions where answer_id = ${postOfOther}`,
  },
  inviteToGroup: {
    act: (tx, { me, other, elsewhereId }) => inviteToGroup(tx, me, { groupId: elsewhereId, personId: other.id }),
    landed: invited,
  },
  addCurator: {
    async act(tx, { me, names }) {
      const id = tx.newId();
      await run(tx, sql`insert into collections (id, curator_id, title, created_at) values (${id}, ${me.id}, 'Ours', ${tx.now})`);
      await addCurator(tx, me, { shelfId: id, username: names.other });
    },
    landed: ({ other }) => sql`select from collection_curators where person_id = ${other.id}`,
  },
  inviteByName: {
    act: (tx, { me, names, elsewhereId }) => inviteByName(tx, me, { groupId: elsewhereId, username: names.other }),
    landed: invited,
  },
};

/** Verbs about oneself, or about a thing and not its author; in one's capacity; or that end a tie and begin none. */
const REACHING_NOBODY = new Set(
  `cancelRequest declineFriend removeFriend block unblock mutePerson unmutePerson
   askForExport showTextOn subscribe unsubscribe
   takeBackRemoval makeFriendLink revokeFriendLink dismissSuggestion suggestAgain
   addFilter changeFilter dropFilter takeUpFilter
   acceptConversation archiveConversation deleteRequest leaveConversation markConversationRead markConversationUnread muteConversation
   removeFromConversation renameConversation deleteMessage hideMessage unreactToMessage
   bookmark dropBookmark deletePost restorePost unreact markRead markUnread setFollowLevel lockDiscussion pinDiscussion
   renameDiscussion unlockDiscussion unpinDiscussion reopenDiscussion archiveDiscussion deleteDiscussion restoreDiscussion
   unarchiveDiscussion moveDiscussion splitDiscussion mergeDiscussion cancelTimer setTimer slowDiscussion removeCard dropDraft saveDraft
   createGroup updateGroup askToJoin joinGroup leaveGroup refuseInvitation setGroupNotices withdrawRequest
   inviteAddress makeInviteLink revokeInvitation acceptInvitation declineInvitation admit decline appointHeir askForHeir
   declineHeir letGroupIn turnGroupDown moveAtStart putAtStart takeFromStart cancelOpening archiveGroup bringBack deleteGroup
   unarchiveGroup removeGroupPicture setGroupGround banFromGroup handOver liftGroupBan removeMember setGroupRole
   audit addDocument addFile addLink recordUpload editResource replaceFile restoreVersion moveResource suggestAddress answerSuggestion removeResource restoreResource setStatus setRole emptyPlace makeRole dropRole giveRole takeRole declineRegistration updateProfile updatePrivacy updateDisplay
   followResource bookmarkResource dropResourceBookmark featureResource unfeatureResource sawResource
   makeShelf changeShelf dropShelf putOnShelf takeFromShelf moveOnShelf dropCurator
   acceptRules finishWelcome setMailLevel beginImport goOn askBack
   addField bringFieldBack changeField moveField retireField answerFields resumeAll
   reportMessages lookAtReport resolveReport
   openNotification sawDiscussion readNotification unreadNotification readAllNotifications seeNotifications muteNotified letSendersOut
   rememberSearch forgetSearches saveSearch tellOfSearch dropSearch noteMiss
   saveChoices chooseMail saveQuietHours pauseNotifications saveSendersApart saveDigest announceToAll takeAnnouncementBack sawAnnouncement`.split(
    /\s+/,
  ),
);

/** The doors of the community, as they are. */
const doors = import.meta.glob<Record<string, unknown>>("../src/community/*/index.ts", { eager: true });

test("every verb that the community offers is in the matrix, or known to reach nobody", () => {
  const offered = Object.values(doors).flatMap((door) =>
    Object.entries(door).filter(([, it]) => typeof it === "function" && /^(async )?(function )?\w*\s*\(tx, viewer\b/.test(String(it))),
  );
  expect(offered.length).toBeGreaterThan(60);
  const asked = Object.values(REACHING)
    .map(({ act }) => String(act))
    .join(" ");
  const missing = offered.map(([name]) => name).filter((name) => !REACHING_NOBODY.has(name) && !new RegExp(`\\b${name}\\b`).test(asked));
  expect(missing).toEqual([]);
});

const STANDINGS = [
  "in one group",
  "strangers",
  "the blocked one moderates",
  "the blocker moderates",
  "the blocked one is staff",
  "the blocker is staff",
] as const;
type Standing = (typeof STANDINGS)[number];

/** Bram, who will block, and Cleo, who will be blocked; they have written in one group, and to each other. */
async function meeting(standing: Standing) {
  const people = await cast(database);
  const group = await aGroup(database, people);
  const [bram, cleo] = await within(async (tx) => [
    await person(tx, "bram", standing === "the blocker is staff" ? "moderator" : "member"),
    await person(tx, "cleo", standing === "the blocked one is staff" ? "moderator" : "member"),
  ]);
  await within(async (tx) => {
    await bring(tx, group.id, bram, standing === "the blocker moderates" ? "moderator" : "member");
    await bring(tx, group.id, cleo, standing === "the blocked one moderates" ? "moderator" : "member");
  });
  const both = { bram, cleo };
  const talk = await aDiscussion(database, people.mira, group.id);
  const posts = { bram: await aReply(database, both.bram, talk.id), cleo: await aReply(database, both.cleo, talk.id) };
  const polls = {
    bram: await aReply(database, both.bram, talk.id, { body: "Which?", pollOptions: "One\nTwo" }),
    cleo: await aReply(database, both.cleo, talk.id, { body: "Which?", pollOptions: "One\nTwo" }),
  };
  const conversationId = await within(async (tx) => {
    await run(tx, sql`update people set privacy = '{"messages":"everyone"}'`);
    const { id } = await startConversation(tx, both.bram, { to: ["cleo"], name: "", body: "Hello." });
    await sendMessage(tx, both.cleo, { conversationId: id, body: "Hello, Bram." });
    await run(tx, sql`update people set privacy = '{}'`);
    return id;
  });
  const said = await many(
    db,
    sql<{ id: string; authorId: string }>`select id, author_id as "authorId" from messages where conversation_id = ${conversationId}`,
  );
  const messageOf = (who: SignedIn) => said.find(({ authorId }) => authorId === who.id)!.id;
  const others = {
    bram: await aGroup(database, { tomas: both.bram, mira: people.mira }, { name: "Of Bram" }),
    cleo: await aGroup(database, { tomas: both.cleo, mira: people.mira }, { name: "Of Cleo" }),
  };
  const as = (me: "bram" | "cleo", other: "bram" | "cleo"): Meeting => ({
    me: both[me],
    other: both[other],
    groupId: group.id,
    elsewhereId: others[me].id,
    discussionId: talk.id,
    postOfOther: posts[other].id,
    postOfMe: { id: posts[me].id, version: 1 },
    pollOfOther: polls[other].id,
    conversationId,
    messageOfMe: messageOf(both[me]),
    names: { other },
  });
  // Strangers meet where everybody reads: they were there, and left.
  if (standing === "strangers")
    await within((tx) =>
      run(tx, sql`update memberships set state = 'left' where group_id = ${group.id} and person_id in (${both.bram.id}, ${both.cleo.id})`),
    );
  return { ...people, ...both, groupId: group.id, talk, posts, conversationId, as };
}

/** What comes out of it; nothing of it stays. */
async function tried<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> {
  let result: { is: Result } | undefined;
  const undone = new Error("undone");
  await within(async (tx) => {
    result = { is: await work(tx) };
    throw undone;
  }).catch((error: unknown) => {
    if (error !== undone) throw error;
  });
  return result!.is;
}

const refusedOr = (answer: Promise<unknown>) =>
  answer.then(
    () => true,
    (error: Error) => {
      if (!("reason" in error)) throw error;
      return false;
    },
  );

const reaches = ({ before, act, landed }: Verb, at: Meeting, parting: (tx: Tx) => Promise<void>) =>
  tried(async (tx) => {
    await before?.(tx, at);
    await parting(tx);
    const answered = await refusedOr(act(tx, at));
    return landed ? (await maybeOne(tx, landed(at))) !== undefined : answered;
  });

/** In a group where both only read, one does not write at all. */
const NEEDS_MEMBERS = /^(startDiscussion|reply|editPost|react|vote|resolve)/;

describe.each(STANDINGS)("of two, %s,", (standing) => {
  test("either reaches the other by every verb, until one blocks: then by none, both ways", async () => {
    const { bram, cleo, as } = await meeting(standing);
    const verbs = Object.entries(REACHING).filter(([name]) => standing !== "strangers" || !NEEDS_MEMBERS.test(name));
    for (const at of [as("bram", "cleo"), as("cleo", "bram")]) {
      const who = at.me === bram ? "blocker" : "blocked";
      for (const [name, verb] of verbs) {
        expect([who, name, await reaches(verb, at, async () => undefined)]).toEqual([who, name, true]);
        const blocked = await reaches(verb, at, (tx) => block(tx, bram, { personId: cleo.id }));
        expect([who, name, "after a block", blocked]).toEqual([who, name, "after a block", false]);
        const again = (tx: Tx) => block(tx, bram, { personId: cleo.id }).then(() => unblock(tx, bram, { personId: cleo.id }));
        // What a block has ended stays ended: there is no request to accept any more.
        if (name !== "acceptFriend") expect([who, name, await reaches(verb, at, again)]).toEqual([who, name, true]);
      }
    }
  });
});

describe("a block", () => {
  test("hides posts behind stubs that keep their numbers: the one who blocks may look, the other may not", async () => {
    const { bram, cleo, talk, posts, noor } = await meeting("in one group");
    await within((tx) => block(tx, bram, { personId: cleo.id }));
    const seenBy = async (who: SignedIn) =>
      (await postsOf(db, who, await discussionFor(db, who, talk.id), { page: 1 })).posts.map(({ number, stub }) => [number, stub]);
    expect(await seenBy(bram)).toEqual([
      [1, null],
      [2, null],
      [3, "blocked-by-viewer"],
      [4, null],
      [5, "blocked-by-viewer"],
    ]);
    expect(await seenBy(cleo)).toEqual([
      [1, null],
      [2, "blocked"],
      [3, null],
      [4, "blocked"],
      [5, null],
    ]);
    expect((await seenBy(noor)).map(([, stub]) => stub)).toEqual([null, null, null, null, null]);
    expect((await postFor(db, bram, posts.cleo.id, { reveal: true })).html).toContain("ice saints");
    expect(await postFor(db, cleo, posts.bram.id, { reveal: true })).toMatchObject({ html: null, stub: "blocked", author: null });
    const [one, other] = [await discussionFor(db, bram, talk.id), await discussionFor(db, noor, talk.id)];
    expect([one.lastNumber, one.replies]).toEqual([other.lastNumber, other.replies]);
  });

  test.each(["the blocked one moderates", "the blocked one is staff"] as const)("keeps nobody from their duty: %s", async (standing) => {
    const { bram, cleo, groupId, talk, posts } = await meeting(standing);
    await within((tx) => block(tx, bram, { personId: cleo.id }));
    expect(await postFor(db, cleo, posts.bram.id)).toMatchObject({ stub: null, author: { username: "bram" } });
    expect((await membersOf(db, cleo, await groupFor(db, cleo, groupId), {})).rows.map(({ username }) => username)).toContain("bram");
    await tried((tx) => deletePost(tx, cleo, { postId: posts.bram.id, reason: "Off the subject." }));
    const change = { postId: posts.bram.id, version: 1, body: "Mended.", reason: "A name." };
    const leads = standing === "the blocked one moderates";
    expect(await tried((tx) => refusedOr(editPost(tx, cleo, change)))).toBe(leads);
    expect(await tried((tx) => refusedOr(removeMember(tx, cleo, { groupId, personId: bram.id, reason: "" })))).toBe(leads);
    expect(await tried((tx) => refusedOr(banFromGroup(tx, cleo, { groupId, personId: bram.id, reason: "" })))).toBe(leads);
    // What the one who moderates has blocked stands behind a stub, with a way to look.
    await within(async (tx) => {
      await unblock(tx, bram, { personId: cleo.id });
      await block(tx, cleo, { personId: bram.id });
    });
    expect(await postFor(db, cleo, posts.bram.id)).toMatchObject({ stub: "blocked-by-viewer", author: { username: "bram" } });
    expect((await postFor(db, cleo, posts.bram.id, { reveal: true })).html).toContain("ice saints");
    expect(await tried((tx) => refusedOr(deletePost(tx, cleo, { postId: posts.bram.id, reason: "Off the subject." })))).toBe(true);
    expect((await discussionFor(db, cleo, talk.id)).id).toBe(talk.id);
  });

  test("leaves co-members their rights: each goes on writing in the discussion of the other", async () => {
    const { bram, cleo, groupId } = await meeting("in one group");
    const own = await aDiscussion(database, bram, groupId);
    await within((tx) => block(tx, bram, { personId: cleo.id }));
    const answer = await aReply(database, cleo, own.id);
    expect(answer.number).toBe(2);
    expect(await postFor(db, bram, answer.id)).toMatchObject({ number: 2, stub: "blocked-by-viewer" });
    expect(await discussionFor(db, cleo, own.id)).toMatchObject({ author: null, replies: 1 });
  });

  test("archives the conversation of the two for who blocks, and leaves it to the other to read", async () => {
    const { bram, cleo, conversationId } = await meeting("in one group");
    await within((tx) => block(tx, bram, { personId: cleo.id }));
    expect(await conversationFor(db, bram, conversationId)).toMatchObject({ archived: true, blocked: true });
    expect(await conversationFor(db, cleo, conversationId)).toMatchObject({ archived: false, blocked: true });
    expect((await messagesOf(db, cleo, await conversationFor(db, cleo, conversationId))).messages).toHaveLength(2);
    expect((await conversationsOf(db, bram, { tab: "all" })).rows).toEqual([]);
  });

  test("takes back what waits between the two: a first message and an invitation to a group", async () => {
    const { bram, cleo, noor, mira, as } = await meeting("in one group");
    const { elsewhereId } = as("cleo", "bram");
    await within(async (tx) => {
      await run(tx, sql`update people set privacy = '{"messages":"everyone"}'`);
      await startConversation(tx, noor, { to: ["mira"], name: "", body: "Do you know me?" });
      await inviteToGroup(tx, cleo, { groupId: elsewhereId, personId: bram.id });
      await block(tx, bram, { personId: cleo.id });
      await block(tx, mira, { personId: noor.id });
    });
    expect((await conversationsOf(db, mira, { tab: "requests" })).rows).toEqual([]);
    const { invitations } = await one(
      db,
      sql<{ invitations: number }>`
      select count(*)::int as invitations from memberships where person_id = ${bram.id} and state = 'invited'`,
    );
    expect(invitations).toBe(0);
  });

  test("holds on open pages: neither the words, nor the reaction, nor that the other is there", async () => {
    const { bram, cleo, noor, talk, posts, groupId } = await meeting("in one group");
    await within((tx) => react(tx, bram, { postId: talk.postId, emoji: "👍" }));
    await within((tx) => block(tx, bram, { personId: cleo.id }));
    const all = [bram.id, cleo.id, noor.id];
    const written = (postId: string) =>
      sightOf(db, { table: "Posts", event: "updated", ids: { objectId: postId, discussionId: talk.id, groupId } }, all);
    const ofBram = await written(posts.bram.id);
    expect([ofBram?.(cleo.id), ofBram?.(noor.id)]).toMatchObject([{ stub: "blocked", text: null, ownerId: null }, { stub: null }]);
    expect((await written(posts.cleo.id))?.(bram.id)).toMatchObject({ stub: "blocked-by-viewer", text: null });
    const ids = { objectId: "x", postId: talk.postId, ownerId: bram.id, emoji: "👍", discussionId: talk.id, groupId };
    const reacted = await sightOf(db, { table: "Reactions", event: "created", ids }, all);
    expect([reacted?.(cleo.id), reacted?.(noor.id) !== null]).toEqual([null, true]);
    for (const [me, other] of [
      [bram, cleo],
      [cleo, bram],
    ] as const) {
      const { sees, shownTo } = await companyOf(db, { kind: "discussion", id: talk.id }, me.id, [other.id, noor.id]);
      expect([sees(other.id), shownTo(other.id), sees(noor.id)]).toEqual([false, false, true]);
    }
  });

  test("is one switch: were it turned, the blocked one would read on, and staff and moderators always do", async () => {
    const { bram, cleo, mira, ines, groupId } = await meeting("in one group");
    const reads = async (who: SignedIn, readOn?: boolean) => groupRules.pastBlocks(who, await groupFor(db, who, groupId), readOn);
    expect([await reads(bram), await reads(cleo), await reads(mira), await reads(ines)]).toEqual([false, false, false, true]);
    expect([await reads(bram, true), await reads(cleo, true)]).toEqual([true, true]);
  });

  test("hides comments and what is called, kept and suggested while one writes", async () => {
    const { bram, cleo, talk, posts, mira } = await meeting("in one group");
    const about = { why: "", tags: [], language: "en", licence: "" };
    const document = await within((tx) => addDocument(tx, mira, { title: "For everybody", body: "Open.", ...about }));
    await within((tx) => comment(tx, bram, { resourceId: document.id, body: "A comment." }));
    await within((tx) => bookmark(tx, cleo, { postId: posts.bram.id, note: "" }));
    await within((tx) => block(tx, bram, { personId: cleo.id }));
    const stubs = async (who: SignedIn) =>
      (await commentsOn(db, who, await resourceFor(db, who, document.id))).comments.map(({ stub }) => stub);
    expect([await stubs(cleo), await stubs(bram)]).toEqual([["blocked"], [null]]);
    expect((await bookmarksOf(db, cleo, {})).rows).toEqual([]);
    expect(await callable(db, cleo, place.discussion(talk.id), "bram")).toEqual([]);
    expect(await callable(db, bram, place.discussion(talk.id), "cleo")).toEqual([]);
    expect(await friendStateWith(db, bram, cleo.id)).toMatchObject({ canAsk: false, canWrite: false, viewerBlocks: true });
  });
});
