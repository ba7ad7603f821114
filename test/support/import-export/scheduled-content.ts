import { DAY, HOUR, addMilliseconds } from "#platform/clock";
import { many, one, sql } from "#platform/database";
import {
  addParticipants,
  hideMessage,
  NewConversation,
  removeParticipant,
  renameConversation,
  startConversation,
} from "#community/conversations";
import { lockDiscussion, NewDiscussion, setTimer, startDiscussion } from "#community/discussions";
import { createGroup, inviteToGroup, joinGroup, NewGroup, updateGroup } from "#community/groups";
import type { SignedIn } from "#community/rules";
import type { TestDatabase } from "../setup/test-database.ts";

type Friend = { id: string; username: string };

/**
 * Adds a group with a scheduled visibility change, discussions with close and open timers, and a group
 * conversation with activity entries.
 */
export async function addScheduledContent(
  database: TestDatabase,
  me: SignedIn,
): Promise<{ opens: string; closes: string; talk: string }> {
  const friends = await many(
    database.db,
    sql<Friend>`
      select p.id, p.username from friendships f
      join people p on p.id in (f.low_id, f.high_id) and p.id <> ${me.id} and p.state = 'active'
      where ${me.id} in (f.low_id, f.high_id) and f.state = 'friends' order by 1 limit 4`,
  );
  const opens = await createGroupThatOpens(database, me, friends[0]!);
  return {
    opens,
    closes: await createTimedDiscussions(database, me, opens),
    talk: await createGroupConversation(database, me, friends),
  };
}

async function createGroupThatOpens(
  { inTransaction: within }: TestDatabase,
  me: SignedIn,
  friend: Friend,
): Promise<string> {
  const group = NewGroup.parse({ name: "To be opened", visibility: "private", joinPolicy: "request" });
  const { id: groupId } = await within((tx) =>
    createGroup(tx, me, group, { whoCreatesGroups: "members", newcomersGroups: "approval" }),
  );
  await within((tx) => inviteToGroup(tx, me, { groupId, personId: friend.id }));
  await within((tx) => joinGroup(tx, { ...me, id: friend.id }, { groupId }));
  await within((tx) => updateGroup(tx, me, { groupId, visibility: "public", joinPolicy: "open" }));
  return groupId;
}

async function createTimedDiscussions(
  { inTransaction: within, clock }: TestDatabase,
  me: SignedIn,
  groupId: string,
): Promise<string> {
  const reason = "The sale is over then.";
  const start = (title: string) => {
    clock.pass(HOUR);
    return within((tx) =>
      startDiscussion(tx, me, NewDiscussion.parse({ groupId, title, body: "By hand.", tags: [] })),
    );
  };
  const [closes, reopens] = [(await start("Plant sale")).id, (await start("Plant swap")).id];
  await within((tx) =>
    setTimer(tx, me, {
      discussionId: closes,
      timer: "close",
      until: addMilliseconds(clock.at, 2 * DAY),
      reason,
    }),
  );
  await within((tx) => lockDiscussion(tx, me, { discussionId: reopens, reason }));
  await within((tx) =>
    setTimer(tx, me, {
      discussionId: reopens,
      timer: "open",
      until: addMilliseconds(clock.at, 3 * DAY),
      reason,
    }),
  );
  return closes;
}

async function createGroupConversation(
  { db, inTransaction: within }: TestDatabase,
  me: SignedIn,
  friends: Friend[],
): Promise<string> {
  const [first, second, late] = friends as [Friend, Friend, Friend];
  const begin = NewConversation.parse({
    to: [first.username, second.username],
    name: "Sale",
    body: "Who is there?",
  });
  const { id: conversationId } = await within((tx) => startConversation(tx, me, begin));
  await within((tx) => renameConversation(tx, me, { conversationId, name: "Plant sale" }));
  await within((tx) => addParticipants(tx, me, { conversationId, to: [late.username] }));
  await within((tx) => removeParticipant(tx, me, { conversationId, personId: second.id }));
  const { id } = await one(
    db,
    sql<{ id: string }>`select id from messages where conversation_id = ${conversationId}`,
  );
  await within((tx) => hideMessage(tx, me, { messageId: id }));
  return conversationId;
}
