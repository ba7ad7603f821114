import { many, run, sql, type Tx } from "#platform/database";
import { sendMessage, startConversation } from "#community/conversations";
import type { SignedIn } from "#community/rules";
import {
  createTestDiscussion,
  createTestGroup,
  createTestReply,
  setMembership,
  createTestUsers,
  createPerson,
} from "../test-users.ts";
import { testDatabase } from "../setup/test-database.ts";

export const database = await testDatabase();
export const { db, inTransaction: within } = database;

/**
 * Two people and their shared content. A test runs a command as `me` and checks whether it reaches `other`.
 */
export type Encounter = {
  me: SignedIn;
  other: SignedIn;
  groupId: string;
  /** A discussion of another group, of which only `me` is a member. */
  elsewhereId: string;
  discussionId: string;
  /** Posts of both people in the discussion, and one of `other` with a poll. */
  postOfOther: string;
  postOfMe: { id: string; version: number };
  pollOfOther: string;
  /** Earlier conversation of the two people. */
  conversationId: string;
  /** A message of `me` in that conversation. */
  messageOfMe: string;
  /** Usernames. */
  names: { other: string };
};

export const ENCOUNTER_KINDS = [
  "in one group",
  "strangers",
  "the blocked one moderates",
  "the blocker moderates",
  "the blocked one is staff",
  "the blocker is staff",
] as const;
type EncounterKind = (typeof ENCOUNTER_KINDS)[number];

/**
 * Creates Bram, who will block, and Cleo, who will be blocked; both have written in one group and to each
 * other.
 */
export async function createEncounter(standing: EncounterKind) {
  const people = await createTestUsers(database);
  const group = await createTestGroup(database, people);
  const [bram, cleo] = await within(async (tx) => [
    await createPerson(tx, "bram", standing === "the blocker is staff" ? "moderator" : "member"),
    await createPerson(tx, "cleo", standing === "the blocked one is staff" ? "moderator" : "member"),
  ]);
  await within(async (tx) => {
    await setMembership(tx, group.id, bram, standing === "the blocker moderates" ? "moderator" : "member");
    await setMembership(
      tx,
      group.id,
      cleo,
      standing === "the blocked one moderates" ? "moderator" : "member",
    );
  });
  const both = { bram, cleo };
  const talk = await createTestDiscussion(database, people.mira, group.id);
  const posts = {
    bram: await createTestReply(database, both.bram, talk.id),
    cleo: await createTestReply(database, both.cleo, talk.id),
  };
  const polls = {
    bram: await createTestReply(database, both.bram, talk.id, { body: "Which?", pollOptions: "One\nTwo" }),
    cleo: await createTestReply(database, both.cleo, talk.id, { body: "Which?", pollOptions: "One\nTwo" }),
  };
  const conversationId = await within(async (tx) => {
    await run(tx, sql`update people set privacy = '{"messages":"everyone"}'`);
    const { id } = await startConversation(tx, both.bram, { to: ["cleo"], name: "", body: "Hello." });
    await sendMessage(tx, both.cleo, { conversationId: id, body: "Hello, Bram." });
    await run(tx, sql`update people set privacy = '{}'`);
    return id;
  });
  const messages = await many(
    db,
    sql<{
      id: string;
      authorId: string;
    }>`select id, author_id as "authorId" from messages where conversation_id = ${conversationId}`,
  );
  const messageOf = (who: SignedIn) => messages.find(({ authorId }) => authorId === who.id)!.id;
  const others = {
    bram: await createTestGroup(database, { tomas: both.bram, mira: people.mira }, { name: "Of Bram" }),
    cleo: await createTestGroup(database, { tomas: both.cleo, mira: people.mira }, { name: "Of Cleo" }),
  };
  const as = (me: "bram" | "cleo", other: "bram" | "cleo"): Encounter => ({
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
  // Strangers know each other from a public group: they were members and left.
  if (standing === "strangers")
    await within((tx) =>
      run(
        tx,
        sql`update memberships set state = 'left'
          where group_id = ${group.id} and person_id in (${both.bram.id}, ${both.cleo.id})`,
      ),
    );
  return { ...people, ...both, groupId: group.id, talk, posts, conversationId, as };
}

/** Returns the result of `work` and rolls its changes back. */
export async function runAndRollBack<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> {
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

/** Returns false when the command was refused. */
export const isAccepted = (answer: Promise<unknown>) =>
  answer.then(
    () => true,
    (error: Error) => {
      if (!("reason" in error)) throw error;
      return false;
    },
  );
