import { one, run, sql, type Tx } from "#platform/database";
import {
  addCommentOrAwaitApproval,
  editPost,
  approvePendingPost,
  NewComment,
  NewDiscussion,
  NewReply,
  renderQuote,
  addReaction,
  reply,
  replyOrAwaitApproval,
  resolveDiscussion,
  startDiscussion,
  startDiscussionOrAwaitApproval,
  castVote,
} from "#community/discussions";
import { addLink, addComment, NewLink } from "#community/resources";
import {
  approvePostOrEvent,
  createEvent,
  createEventOrAwaitApproval,
  editEvent,
  EventChange,
  getEvent,
  NewEvent,
} from "#community/calendar";
import type { SignedIn } from "#community/rules";
import { eventFields } from "../calendar-setup.ts";
import type { Encounter } from "./encounters.ts";
import { type ContactCommand, words } from "./contact-command.ts";

const hosting = ({ other }: Encounter) => sql`select from event_hosts where person_id = ${other.id}`;
const called = ({ other }: Encounter) => sql`select from post_mentions where person_id = ${other.id}`;
const aLink = async (tx: Tx, by: SignedIn) =>
  (await addLink(tx, by, NewLink.parse({ url: "https://example.org/", title: "Link" }))).id;

/** Makes the author new, so that their texts need approval. */
const makeAuthorNew: ContactCommand["before"] = async (tx, { me }) => {
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

/** Commands that reach a person by discussions, comments or events. */
export const POST_COMMANDS: Record<string, ContactCommand> = {
  "startDiscussion, calling": {
    act: (tx, { me, groupId, names }) =>
      startDiscussion(tx, me, NewDiscussion.parse({ groupId, title: words.title, body: `@${names.other}?` })),
    landed: called,
  },
  "createEvent, calling": {
    act: (tx, { me, groupId, names }) =>
      createEvent(tx, me, NewEvent.parse({ ...eventFields(tx.now), groupId, body: `@${names.other}?` })),
    landed: called,
  },
  "createEvent, with a host": {
    act: (tx, { me, groupId, names }) =>
      createEvent(tx, me, NewEvent.parse({ ...eventFields(tx.now), groupId, hosts: names.other })),
    landed: hosting,
  },
  "editEvent, with a host": {
    act: async (tx, { me, groupId, names }) => {
      const { body, ...fields } = eventFields(tx.now);
      const { id } = await createEvent(tx, me, NewEvent.parse({ ...fields, body, groupId }));
      const { hosts } = await getEvent(tx, me, id);
      const usernames = [...hosts.map(({ username }) => username), names.other];
      const change = { ...fields, eventId: id, changes: 0, hosts: usernames };
      await editEvent(tx, me, EventChange.parse(change));
    },
    landed: hosting,
  },
  "reply, calling": {
    act: (tx, { me, discussionId, names }) =>
      reply(tx, me, NewReply.parse({ discussionId, body: `@${names.other}?` })),
    landed: called,
  },
  "startOrWait, calling": {
    act: (tx, { me, groupId, names }) =>
      startDiscussionOrAwaitApproval(
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
      const pendingReply = await replyOrAwaitApproval(
        tx,
        { ...me, trust: "new" },
        NewReply.parse({ discussionId, body: `@${names.other}?` }),
      );
      await approvePendingPost(tx, await getGroupOwner(tx, groupId), {
        pendingPostId: "waits" in pendingReply ? pendingReply.waits : "",
      });
    },
    landed: called,
  },
  "createEventOrAwaitApproval, calling, and approvePostOrEvent": {
    before: makeAuthorNew,
    act: async (tx, { me, groupId, names }) => {
      const created = await createEventOrAwaitApproval(
        tx,
        { ...me, trust: "new" },
        NewEvent.parse({ ...eventFields(tx.now), groupId, body: `@${names.other}?` }),
      );
      await approvePostOrEvent(tx, await getGroupOwner(tx, groupId), {
        pendingPostId: "waits" in created ? created.waits : "",
      });
    },
    landed: called,
  },
  "commentOrWait, calling": {
    act: async (tx, { me, names }) =>
      addCommentOrAwaitApproval(
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
};
