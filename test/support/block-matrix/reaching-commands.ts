import { one, run, sql, type Tx } from "#platform/database";
import {
  addParticipants,
  editMessage,
  reactToMessage,
  sendMessage,
  startConversation,
} from "#community/conversations";
import {
  addCommentOrHold,
  editPost,
  approvePendingPost,
  NewComment,
  NewDiscussion,
  NewReply,
  renderQuote,
  addReaction,
  reply,
  replyOrHold,
  resolveDiscussion,
  startDiscussion,
  startDiscussionOrHold,
  castVote,
} from "#community/discussions";
import {
  acceptFriendRequest,
  acceptFriendLink,
  sendFriendRequest,
  createFriendLink,
} from "#community/friends";
import { inviteAddress, inviteByName, inviteSeveral, inviteToGroup } from "#community/groups";
import { addCurator, addLink, addComment, NewLink } from "#community/resources";
import { approvePostOrEvent, createEvent, createEventOrHold, NewEvent } from "#community/calendar";
import { eventWords } from "../calendar-setup.ts";
import type { SignedIn } from "#community/rules";
import type { Encounter } from "./encounters.ts";

export type ReachingCommand = {
  /** Runs the command as `me`. */
  act: (tx: Tx, at: Encounter) => Promise<unknown>;
  /**
   * SQL condition that is true when the command reached the other person. Commands without a condition reach
   * the person if they succeed.
   */
  landed?: (at: Encounter) => ReturnType<typeof sql>;
  /** Setup for the command, which runs before the block. */
  before?: (tx: Tx, at: Encounter) => Promise<unknown>;
};

const words = { title: "About the shed", body: "The lock is broken." };
const friendship = ({ me, other }: Encounter, state: string) => sql`
  select from friendships where low_id = least(${me.id}::uuid, ${other.id}::uuid)
    and high_id = greatest(${me.id}::uuid, ${other.id}::uuid) and state = ${state}`;
const called = ({ other }: Encounter) => sql`select from post_mentions where person_id = ${other.id}`;
const invited = ({ other, elsewhereId }: Encounter) =>
  sql`select from memberships
    where group_id = ${elsewhereId} and person_id = ${other.id} and state = 'invited'`;
const inOneConversation = (kind: string) => (at: Encounter) =>
  sql`
  select from conversations c join participants p on p.conversation_id = c.id and p.person_id = ${at.other.id}
    and p.state <> 'deleted'
  join messages m on m.conversation_id = c.id and m.author_id = ${at.me.id} and m.body_md = ${words.body}
  where c.kind = ${kind}`;
const mutual = (tx: Tx, { me, other }: Encounter) =>
  run(tx, sql`update people set privacy = '{"messages":"everyone"}' where id in (${me.id}, ${other.id})`);

/** In a group conversation both people stay, but neither sees the messages of the other person. */
const several = {
  before: async (tx: Tx, { me, other, names }: Encounter) => {
    await run(
      tx,
      sql`update people set privacy = '{"messages":"everyone"}' where username = 'noor' or id = ${other.id}`,
    );
    const { id } = await startConversation(tx, me, {
      to: ["noor", names.other],
      name: "Several",
      body: "Hello.",
    });
    await sendMessage(tx, other, { conversationId: id, body: "Good evening." });
  },
  said: (tx: Tx, { other }: Encounter) =>
    one(
      tx,
      sql<{ conversationId: string; id: string }>`
        select m.conversation_id as "conversationId", m.id from messages m
        join conversations c on c.id = m.conversation_id
        where c.name = 'Several' and m.author_id = ${other.id}`,
    ),
};
const amongSeveral: Record<string, ReachingCommand> = {
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
    act: async (tx, at) =>
      reactToMessage(tx, at.me, { messageId: (await several.said(tx, at)).id, emoji: "👍" }),
    landed: ({ me }) => sql`select from message_reactions where person_id = ${me.id}`,
  },
};

const aLink = async (tx: Tx, by: SignedIn) =>
  (await addLink(tx, by, NewLink.parse({ url: "https://example.org/", title: "Link" }))).id;

/** Makes the author new, so that their texts need approval. */
const makeAuthorNew: ReachingCommand["before"] = async (tx, { me }) => {
  await run(tx, sql`insert into settings (key, value, changed_at) values ('firstPosts', '"all"', ${tx.now})`);
  await run(tx, sql`update people set trust = 'new' where id = ${me.id}`);
};
const getGroupOwner = async (tx: Tx, groupId: string): Promise<SignedIn> => ({
  ...(await one(
    tx,
    sql<{ id: string }>`
      select person_id as id from memberships where group_id = ${groupId} and role = 'owner'`,
  )),
  role: "member",
  trust: "established",
  limited: false,
});

/** Every command by which one person can reach another. Add new commands here. */
export const REACHING_COMMANDS: Record<string, ReachingCommand> = {
  askFriend: {
    act: (tx, { me, other }) => sendFriendRequest(tx, me, { personId: other.id, note: "" }),
    landed: (at) => friendship(at, "pending"),
  },
  acceptFriendRequest: {
    before: (tx, { me, other }) => sendFriendRequest(tx, other, { personId: me.id, note: "" }),
    act: (tx, { me, other }) => acceptFriendRequest(tx, me, { personId: other.id }),
    landed: (at) => friendship(at, "friends"),
  },
  acceptFriendLink: {
    act: async (tx, { me, other }) =>
      acceptFriendLink(tx, me, { token: (await createFriendLink(tx, other)).token }),
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
    act: (tx, { me, names }) =>
      startConversation(tx, me, { to: [names.other, "noor"], name: "", body: words.body }),
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
      await addParticipants(tx, me, { conversationId: id, to: [names.other] });
    },
    landed: inOneConversation("group"),
  },
  reactToMessage: {
    async act(tx, { me, other, conversationId }) {
      const said = sql<{
        id: string;
      }>`select id from messages where conversation_id = ${conversationId} and author_id = ${other.id}`;
      await reactToMessage(tx, me, { messageId: (await one(tx, said)).id, emoji: "👍" });
    },
    landed: ({ me }) => sql`select from message_reactions where person_id = ${me.id}`,
  },
  editMessage: {
    act: (tx, { me, messageOfMe }) => editMessage(tx, me, { messageId: messageOfMe, body: "Changed." }),
  },
  ...amongSeveral,
  "startDiscussion, calling": {
    act: (tx, { me, groupId, names }) =>
      startDiscussion(tx, me, NewDiscussion.parse({ groupId, title: words.title, body: `@${names.other}?` })),
    landed: called,
  },
  "createEvent, calling": {
    act: (tx, { me, groupId, names }) =>
      createEvent(tx, me, NewEvent.parse({ ...eventWords(tx.now), groupId, body: `@${names.other}?` })),
    landed: called,
  },
  "reply, calling": {
    act: (tx, { me, discussionId, names }) =>
      reply(tx, me, NewReply.parse({ discussionId, body: `@${names.other}?` })),
    landed: called,
  },
  "startOrWait, calling": {
    act: (tx, { me, groupId, names }) =>
      startDiscussionOrHold(
        tx,
        me,
        NewDiscussion.parse({ groupId, title: words.title, body: `@${names.other}?` }),
      ),
    landed: called,
  },
  "replyOrWait, calling, and letPostIn": {
    // A pending post mentions the people whom its author may mention at the time of approval; the approver's
    // rights do not matter.
    before: makeAuthorNew,
    act: async (tx, { me, discussionId, groupId, names }) => {
      const held = await replyOrHold(
        tx,
        { ...me, trust: "new" },
        NewReply.parse({ discussionId, body: `@${names.other}?` }),
      );
      await approvePendingPost(tx, await getGroupOwner(tx, groupId), {
        pendingPostId: "waits" in held ? held.waits : "",
      });
    },
    landed: called,
  },
  "createEventOrHold, calling, and approvePostOrEvent": {
    before: makeAuthorNew,
    act: async (tx, { me, groupId, names }) => {
      const created = await createEventOrHold(
        tx,
        { ...me, trust: "new" },
        NewEvent.parse({ ...eventWords(tx.now), groupId, body: `@${names.other}?` }),
      );
      await approvePostOrEvent(tx, await getGroupOwner(tx, groupId), {
        pendingPostId: "waits" in created ? created.waits : "",
      });
    },
    landed: called,
  },
  "commentOrWait, calling": {
    act: async (tx, { me, names }) =>
      addCommentOrHold(
        tx,
        me,
        NewComment.parse({ resourceId: await aLink(tx, me), body: `@${names.other}?` }),
      ),
    landed: called,
  },
  "editPost, calling": {
    act: (tx, { me, postOfMe, names }) =>
      editPost(tx, me, { postId: postOfMe.id, version: postOfMe.version, body: `@${names.other}?` }),
    landed: called,
  },
  "comment, calling": {
    act: async (tx, { me, names }) =>
      addComment(tx, me, { resourceId: await aLink(tx, me), body: `@${names.other}?` }),
    landed: called,
  },
  "comment, answering": {
    act: async (tx, { me, other }) => {
      const resourceId = await aLink(tx, me);
      const { id } = await addComment(tx, other, { resourceId, body: "Why?" });
      await addComment(tx, me, { resourceId, body: "So.", replyTo: id });
    },
    landed: ({ me }) =>
      sql`select from posts where author_id = ${me.id} and resource_id is not null and reply_to is not null`,
  },
  "reply, answering": {
    act: (tx, { me, discussionId, postOfOther }) =>
      reply(tx, me, NewReply.parse({ discussionId, body: words.body, replyTo: postOfOther })),
    landed: ({ postOfOther }) => sql`select from posts where reply_to = ${postOfOther}`,
  },
  quoteOf: { act: (tx, { me, postOfOther }) => renderQuote(tx, me, postOfOther) },
  react: {
    act: (tx, { me, postOfOther }) => addReaction(tx, me, { postId: postOfOther, emoji: "👍" }),
    landed: ({ postOfOther }) => sql`select from reactions where post_id = ${postOfOther}`,
  },
  vote: {
    act: (tx, { me, pollOfOther }) => castVote(tx, me, { postId: pollOfOther, options: [1] }),
    landed: ({ pollOfOther }) => sql`select from poll_votes where post_id = ${pollOfOther}`,
  },
  resolveDiscussion: {
    act: (tx, { me, discussionId, postOfOther }) =>
      resolveDiscussion(tx, me, { discussionId, postId: postOfOther }),
    before: (tx, { me, discussionId }) =>
      run(tx, sql`update discussions set author_id = ${me.id} where id = ${discussionId}`),
    landed: ({ postOfOther }) => sql`select from discussions where answer_id = ${postOfOther}`,
  },
  inviteToGroup: {
    act: (tx, { me, other, elsewhereId }) =>
      inviteToGroup(tx, me, { groupId: elsewhereId, personId: other.id }),
    landed: invited,
  },
  addCurator: {
    async act(tx, { me, names }) {
      const id = tx.newId();
      await run(
        tx,
        sql`insert into collections (id, curator_id, title, created_at)
          values (${id}, ${me.id}, 'Ours', ${tx.now})`,
      );
      await addCurator(tx, me, { collectionId: id, username: names.other });
    },
    landed: ({ other }) => sql`select from collection_curators where person_id = ${other.id}`,
  },
  inviteSeveral: {
    act: (tx, { me, other, elsewhereId }) =>
      inviteSeveral(tx, me, { groupId: elsewhereId, personIds: [other.id] }),
    landed: invited,
  },
  inviteByName: {
    act: (tx, { me, names, elsewhereId }) =>
      inviteByName(tx, me, { groupId: elsewhereId, username: names.other }),
    landed: invited,
  },
  inviteAddress: {
    act: (tx, { me, names, elsewhereId }) =>
      inviteAddress(
        tx,
        me,
        { groupId: elsewhereId, email: `${names.other}@Example.org`, entry: "join" },
        { community: "Kith", linkTo: (token) => token },
      ),
    landed: ({ names }) => sql`select from mails where lower(recipient) = ${`${names.other}@example.org`}`,
  },
};
