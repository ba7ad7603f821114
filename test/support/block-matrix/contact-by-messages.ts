import { one, run, sql, type Tx } from "#platform/database";
import {
  addParticipants,
  editMessage,
  reactToMessage,
  sendMessage,
  startConversation,
} from "#community/conversations";
import {
  acceptFriendRequest,
  acceptFriendLink,
  sendFriendRequest,
  createFriendLink,
} from "#community/friends";
import type { Encounter } from "./encounters.ts";
import { type ContactCommand, words } from "./contact-command.ts";

const friendship = ({ me, other }: Encounter, state: string) => sql`
  select from friendships where low_id = least(${me.id}::uuid, ${other.id}::uuid)
    and high_id = greatest(${me.id}::uuid, ${other.id}::uuid) and state = ${state}`;
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
const amongSeveral: Record<string, ContactCommand> = {
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

/** Commands that reach a person by friendship or messages. */
export const MESSAGE_COMMANDS: Record<string, ContactCommand> = {
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
      const messageQuery = sql<{
        id: string;
      }>`select id from messages where conversation_id = ${conversationId} and author_id = ${other.id}`;
      await reactToMessage(tx, me, { messageId: (await one(tx, messageQuery)).id, emoji: "👍" });
    },
    landed: ({ me }) => sql`select from message_reactions where person_id = ${me.id}`,
  },
  editMessage: {
    act: (tx, { me, messageOfMe }) => editMessage(tx, me, { messageId: messageOfMe, body: "Changed." }),
  },
  ...amongSeveral,
};
