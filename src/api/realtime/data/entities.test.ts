import { afterEach, beforeEach, expect, test } from "vitest";
import {
  acceptConversation,
  addParticipants,
  leaveConversation,
  markConversationRead,
  sendMessage,
  startConversation,
} from "#community/conversations";
import { addBookmark, removeBookmark } from "#community/discussions";
import {
  acceptFriendRequest,
  sendFriendRequest,
  blockPerson,
  declineFriendRequest,
  removeFriend,
  unblockPerson,
} from "#community/friends";
import { markAllNotificationsRead, notifyOfEvent } from "#community/notifications";
import {
  addLink,
  editCollection,
  deleteCollection,
  createCollection,
  NewLink,
  NewCollection,
  removeResource,
} from "#community/resources";
import type { SignedIn } from "#community/rules";
import { many, run, sql, type Tx } from "#platform/database";
import { emit, type PendingEvent } from "#platform/outbox";
import {
  createTestDiscussion,
  createTestGroup,
  createTestReply,
  setMembership,
  createTestUsers,
  type TestUsers,
} from "../../../../test/support/test-users.ts";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import {
  type TestConnection,
  startRealtimeServer,
} from "../../../../test/support/realtime/sdk-connection.ts";
import { connectTableFollower } from "../../../../test/support/realtime/table-followers.ts";

const database = await testDatabase();
/** Waits until the change is delivered, because delivery loads the current records. */
const within = async <T>(work: (tx: Tx) => Promise<T>) => {
  const done = await database.inTransaction(work);
  await line.idle();
  return done;
};
let line: TestConnection;
let people: TestUsers;
beforeEach(async () => {
  line = await startRealtimeServer(database);
  people = await createTestUsers(database);
});
afterEach(() => line.close());

const NAMES = ["mira", "tomas", "noor", "ines", "ada", "guest"] as const;
type Name = (typeof NAMES)[number];
const EVENTS = ["created", "updated", "deleted"];

/**
 * Subscribes everyone to all events of an entity; `told` returns each person's new events as `event
 * objectId`.
 */
async function everybody(table: string, where?: string) {
  const eventsByPerson = new Map<Name, string[]>();
  const them = await Promise.all(NAMES.map((name) => connectTableFollower(line, people[name])));
  for (const [at, one] of them.entries())
    for (const event of EVENTS) {
      const { first, received: it } = await one.follow(event, where, table);
      expect(first.event).toBe("SUB_READY");
      const list = eventsByPerson.get(NAMES[at]!) ?? eventsByPerson.set(NAMES[at]!, []).get(NAMES[at]!)!;
      const take = it.take;
      it.take = (answer) => {
        take(answer);
        const data = answer.data as Record<string, unknown>;
        if (event === "deleted") expect(Object.keys(data).toSorted()).toEqual(["___class", "objectId"]);
        list.push(`${event} ${String(data["objectId"])}`);
      };
    }
  return {
    async listEvents() {
      await line.idle();
      for (const one of them) await one.still();
      return Object.fromEntries([...eventsByPerson].map(([name, list]) => [name, list.splice(0)])) as Record<
        Name,
        string[]
      >;
    },
  };
}

const nobodyElse = (events: Record<string, string[]>, ...names: Name[]) =>
  expect(
    Object.entries(events).filter(([name, list]) => list.length > 0 && !names.includes(name as Name)),
  ).toEqual([]);
const pair = (one: SignedIn, other: SignedIn) => [one.id, other.id].toSorted().join(":");

test("event of a block is delivered only to the person who blocks", async () => {
  const { mira, noor } = people;
  const { listEvents } = await everybody("Blocks");
  await within((tx) => blockPerson(tx, mira, { personId: noor.id }));
  await within((tx) => unblockPerson(tx, mira, { personId: noor.id }));
  const events = await listEvents();
  expect(events.mira).toEqual([`created ${mira.id}:${noor.id}`, `deleted ${mira.id}:${noor.id}`]);
  nobodyElse(events, "mira");
});

test("end of a friendship is delivered to both people", async () => {
  const { mira, noor, tomas } = people;
  const { listEvents } = await everybody("Friendships");
  await within((tx) => sendFriendRequest(tx, mira, { personId: tomas.id, note: "" }));
  await within((tx) => acceptFriendRequest(tx, tomas, { personId: mira.id }));
  await within((tx) => removeFriend(tx, tomas, { personId: mira.id }));
  const ended = await listEvents();
  const both = [
    `created ${pair(mira, tomas)}`,
    `updated ${pair(mira, tomas)}`,
    `deleted ${pair(mira, tomas)}`,
  ];
  expect([ended.mira, ended.tomas]).toEqual([both, both]);
  nobodyElse(ended, "mira", "tomas");
  await within((tx) => sendFriendRequest(tx, mira, { personId: noor.id, note: "" }));
  await within((tx) => declineFriendRequest(tx, noor, { personId: mira.id }));
  const declined = await listEvents();
  expect(declined.mira).toEqual([`created ${pair(mira, noor)}`]);
  expect(declined.noor).toEqual([`created ${pair(mira, noor)}`, `deleted ${pair(mira, noor)}`]);
  // A block between two people who were no friends causes no event for the blocked person.
  await within((tx) => blockPerson(tx, tomas, { personId: noor.id }));
  nobodyElse(await listEvents());
});

test("event of a bookmark is delivered to its owner", async () => {
  const { mira, noor } = people;
  const group = await createTestGroup(database, people);
  await within((tx) => setMembership(tx, group.id, noor, "member"));
  const { postId } = await createTestDiscussion(database, mira, group.id);
  const { listEvents } = await everybody("Bookmarks");
  for (const note of ["Beans", "Peas"])
    await within((tx) => addBookmark(tx, noor, { postId, note, remindAt: undefined }));
  await within((tx) => removeBookmark(tx, noor, { postId }));
  const events = await listEvents();
  const id = `${postId}:${noor.id}`;
  expect(events.noor).toEqual([`created ${id}`, `updated ${id}`, `deleted ${id}`]);
  nobodyElse(events, "noor");
});

test("change of a conversation is delivered to its participants, and to the person who leaves", async () => {
  const { mira, tomas, noor } = people;
  for (const viewer of [mira, tomas, noor])
    await run(
      database.db,
      sql`update people set privacy = ${JSON.stringify({ messages: "everyone" })} where id = ${viewer.id}`,
    );
  const conversations = await everybody("Conversations");
  const participants = await everybody("Participants");
  const { id } = await within((tx) =>
    startConversation(tx, mira, { to: ["tomas"], name: "", body: "Hello." }),
  );
  const firstLists = [await conversations.listEvents(), await participants.listEvents()] as const;
  expect([firstLists[0].mira, firstLists[0].tomas]).toEqual([[`created ${id}`], [`created ${id}`]]);
  expect(firstLists[1].tomas.toSorted()).toEqual(
    [`created ${id}:${mira.id}`, `created ${id}:${tomas.id}`].toSorted(),
  );
  for (const it of firstLists) nobodyElse(it, "mira", "tomas");
  await within((tx) => acceptConversation(tx, tomas, { conversationId: id }));
  await within((tx) => sendMessage(tx, tomas, { conversationId: id, body: "Good morning." }));
  await within((tx) => markConversationRead(tx, mira, { conversationId: id, upTo: 2 }));
  const eventLists = [await conversations.listEvents(), await participants.listEvents()] as const;
  expect([eventLists[0].tomas.length, eventLists[0].mira]).toEqual([2, [`updated ${id}`, `updated ${id}`]]);
  expect(eventLists[1].mira).toEqual([`updated ${id}:${tomas.id}`]);
  for (const it of eventLists) nobodyElse(it, "mira", "tomas");
});

test("leaving a group conversation is delivered to its participants, except those who block the person", async () => {
  const { mira, tomas, noor, ada } = people;
  for (const viewer of [mira, tomas, noor, ada])
    await run(
      database.db,
      sql`update people set privacy = ${JSON.stringify({ messages: "everyone" })} where id = ${viewer.id}`,
    );
  const { id } = await within((tx) =>
    startConversation(tx, mira, { to: ["tomas", "noor"], name: "Beans", body: "Hello." }),
  );
  for (const viewer of [tomas, noor])
    await within((tx) => acceptConversation(tx, viewer, { conversationId: id }));
  const conversations = await everybody("Conversations");
  const participants = await everybody("Participants");
  await within((tx) => addParticipants(tx, mira, { conversationId: id, to: ["ada"] }));
  const afterJoining = [await conversations.listEvents(), await participants.listEvents()] as const;
  expect(afterJoining[0].ada).toContain(`created ${id}`);
  expect(afterJoining[1].tomas).toEqual([`created ${id}:${ada.id}`]);
  await within((tx) => blockPerson(tx, tomas, { personId: noor.id }));
  await within((tx) => leaveConversation(tx, noor, { conversationId: id }));
  const left = [await conversations.listEvents(), await participants.listEvents()] as const;
  expect(left[0].noor).toContain(`deleted ${id}`);
  expect([left[1].noor, left[1].mira, left[1].tomas]).toEqual([
    [`deleted ${id}:${noor.id}`],
    [`deleted ${id}:${noor.id}`],
    [],
  ]);
  for (const it of [...afterJoining, ...left]) nobodyElse(it, "mira", "tomas", "noor", "ada");
});

test("deletion of a collection or resource in a secret group is delivered to its members only", async () => {
  const { mira, tomas } = people;
  const group = await createTestGroup(database, people, { visibility: "secret" });
  const collections = await everybody("Collections");
  const resources = await everybody("Resources");
  for (const groupId of [group.id, undefined]) {
    const collection = await within((tx) =>
      createCollection(tx, groupId ? tomas : people.ada, NewCollection.parse({ groupId, title: "Beans" })),
    );
    const owner = groupId ? tomas : people.ada;
    await within((tx) =>
      editCollection(tx, owner, { collectionId: collection.id, title: "Peas", about: "" }),
    );
    await within((tx) => deleteCollection(tx, owner, { collectionId: collection.id }));
    const link = await within((tx) =>
      addLink(tx, mira, NewLink.parse({ groupId, url: `https://example.org/${groupId}`, title: "It" })),
    );
    await within((tx) => removeResource(tx, mira, { resourceId: link.id, reason: "" }));
    const eventLists = [await collections.listEvents(), await resources.listEvents()] as const;
    expect(eventLists[0].mira).toEqual([
      `created ${collection.id}`,
      `updated ${collection.id}`,
      `deleted ${collection.id}`,
    ]);
    expect(eventLists[1].tomas.at(-1)).toBe(`deleted ${link.id}`);
    for (const it of eventLists) {
      if (groupId) nobodyElse(it, "mira", "tomas");
      else expect([it.noor, it.guest]).toEqual([it.mira, it.mira]);
    }
  }
});

test("notification marked as read is delivered to its owner", async () => {
  const group = await createTestGroup(database, people);
  const discussion = await createTestDiscussion(database, people.mira, group.id);
  await createTestReply(database, people.tomas, discussion.id);
  for (const it of await many(
    database.db,
    sql<PendingEvent>`select id, type, payload, at, done from outbox where type = 'post.written'`,
  ))
    await notifyOfEvent(database, it);
  await line.idle();
  const { listEvents } = await everybody("Notifications");
  await within((tx) => markAllNotificationsRead(tx, people.mira));
  const events = await listEvents();
  expect(events.mira).toEqual([expect.stringMatching(/^updated /)]);
  nobodyElse(events, "mira");
});

test("erasure of an account is delivered to staff", async () => {
  const { listEvents } = await everybody("Users", `objectId = '${people.mira.id}'`);
  await within((tx) => emit(tx, { type: "person.erased", personId: people.mira.id }));
  const events = await listEvents();
  expect([events.ines, events.ada]).toEqual([[`deleted ${people.mira.id}`], [`deleted ${people.mira.id}`]]);
  nobodyElse(events, "ines", "ada");
});
