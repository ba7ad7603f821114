import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { sendFriendRequest, blockPerson } from "#community/friends";
import { notifyOfEvent } from "#community/notifications";
import { updateProfile } from "#community/accounts";
import { addLink, NewLink } from "#community/resources";
import type { SignedIn, Viewer } from "#community/rules";
import { many, run, sql } from "#platform/database";
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
const { inTransaction: within } = database;
let line: TestConnection;
let people: TestUsers;
beforeEach(async () => {
  line = await startRealtimeServer(database);
  people = await createTestUsers(database);
});
afterEach(() => line.close());

/**
 * Subscribes every viewer to an entity's `created` and `updated` events; `heard` returns what each viewer
 * received.
 */
async function everybody(table: string, where?: string) {
  const names = ["mira", "tomas", "noor", "ines", "guest"] as const;
  const them = await Promise.all(names.map((name) => connectTableFollower(line, people[name])));
  const queuesByPerson = new Map<
    string,
    Awaited<ReturnType<(typeof them)[number]["follow"]>>["received"][]
  >();
  for (const [at, one] of them.entries()) {
    const both = [await one.follow("created", where, table), await one.follow("updated", where, table)];
    for (const { first } of both) expect(first.event).toBe("SUB_READY");
    queuesByPerson.set(
      names[at]!,
      both.map((it) => it.received),
    );
  }
  return {
    async listRecords() {
      await line.idle();
      for (const one of them) await one.still();
      const records = [...queuesByPerson].map(([name, lists]) => [
        name,
        lists.flatMap(({ all }) => all.flatMap(({ data }) => data ?? [])),
      ]);
      return Object.fromEntries(records) as Record<(typeof names)[number], Record<string, unknown>[]>;
    },
  };
}

const bio = (viewer: SignedIn, words: string) =>
  within((tx) => updateProfile(tx, viewer, viewer.id, { bio: words }));

describe("subscription to people", () => {
  test("delivers to each subscriber the fields that the profile's owner shows them", async () => {
    await run(
      database.db,
      sql`update people set privacy = '{"profile":"members","bio":"friends"}' where id = ${people.mira.id}`,
    );
    await run(
      database.db,
      sql`insert into friendships (low_id, high_id, state, requested_by, requested_at, changed_at)
          select least(a, b), greatest(a, b), 'friends', a, now(), now()
          from (select ${people.mira.id}::uuid a, ${people.tomas.id}::uuid b) it`,
    );
    const { listRecords } = await everybody("Users", `objectId = '${people.mira.id}'`);
    await bio(people.mira, "I grow leeks.");
    await bio(people.noor, "Nobody asked about me.");
    const records = await listRecords();
    const bios = (name: keyof typeof records) => records[name].map((it) => it["bio"]);
    expect([bios("mira"), bios("tomas"), bios("noor")]).toEqual([
      ["I grow leeks."],
      ["I grow leeks."],
      [null],
    ]);
    expect(records.guest).toEqual([]);
    expect([records.mira[0]!["email"], records.noor[0]!["email"]]).toEqual(["mira@example.org", null]);
  });

  test("delivers nothing to a blocked person", async () => {
    await within((tx) => blockPerson(tx, people.mira, { personId: people.noor.id }));
    const { listRecords } = await everybody("Users", "email like '%example.org'");
    await bio(people.mira, "I grow leeks.");
    const records = await listRecords();
    expect([records.mira, records.ines, records.tomas, records.noor].map((list) => list.length)).toEqual([
      1, 1, 0, 0,
    ]);
  });

  test("delivers the fields for members after a moderator has lost the role", async () => {
    const ines = await connectTableFollower(line, people.ines);
    const { received } = await ines.follow("updated", undefined, "Users");
    await bio(people.mira, "I grow leeks.");
    expect((await received.next()).data).toMatchObject({ email: "mira@example.org" });
    await run(database.db, sql`update people set site_role = 'member' where id = ${people.ines.id}`);
    await within((tx) =>
      emit(tx, { type: "person.role-changed", personId: people.ines.id, role: "member", by: people.ada.id }),
    );
    await received.next();
    await bio(people.mira, "And peas.");
    expect((await received.next()).data).toMatchObject({ objectId: people.mira.id, email: null });
  });
});

test("resource of a secret group is delivered to the group's members only", async () => {
  const group = await createTestGroup(database, people, { visibility: "secret" });
  const { listRecords } = await everybody("Resources");
  await within((tx) =>
    addLink(
      tx,
      people.mira,
      NewLink.parse({ groupId: group.id, url: "https://example.org", title: "Leeks" }),
    ),
  );
  await within((tx) =>
    addLink(tx, people.mira, NewLink.parse({ url: "https://example.org/all", title: "For all" })),
  );
  const records = await listRecords();
  const titles = (name: keyof typeof records) => records[name].map((it) => it["title"]);
  expect([titles("mira"), titles("tomas")]).toEqual([
    ["Leeks", "For all"],
    ["Leeks", "For all"],
  ]);
  expect([titles("noor"), titles("guest")]).toEqual([["For all"], ["For all"]]);
});

test("friend request is delivered to both people, each with their own view", async () => {
  const { listRecords } = await everybody("Friendships");
  await within((tx) =>
    sendFriendRequest(tx, people.mira, { personId: people.tomas.id, note: "From the market." }),
  );
  const records = await listRecords();
  const states = (viewer: keyof typeof records) => records[viewer].map((it) => [it["state"], it["personId"]]);
  expect([states("mira"), states("tomas")]).toEqual([
    [["sent", people.tomas.id]],
    [["received", people.mira.id]],
  ]);
  expect([records.noor, records.ines, records.guest]).toEqual([[], [], []]);
});

test("notification is delivered to its recipient only", async () => {
  const group = await createTestGroup(database, people);
  await within((tx) => setMembership(tx, group.id, people.noor, "member"));
  const discussion = await createTestDiscussion(database, people.mira, group.id);
  const { listRecords } = await everybody("Notifications");
  await createTestReply(database, people.tomas, discussion.id);
  for (const pendingEvent of await many(
    database.db,
    sql<PendingEvent>`select id, type, payload, at, done from outbox where type = 'post.written'`,
  ))
    await notifyOfEvent(database, pendingEvent);
  const records = await listRecords();
  expect(records.mira).toMatchObject([{ ownerId: people.mira.id, aboutId: discussion.id, unread: true }]);
  expect([records.tomas, records.ines, records.guest]).toEqual([[], [], []]);
});

describe("entity subscription", () => {
  test.each<[string, string, Viewer["role"]]>([
    ["Users", "upserted", "admin"],
    ["Friendships", "bulk-updated", "member"],
    ["Posts", "bulk-created", "member"],
    ["Messages", "upserted", "member"],
  ])("gets refused for an event that the entity does not have: %s, %s", async (table, event, role) => {
    const them = await connectTableFollower(line, role === "admin" ? people.ada : people.mira);
    expect((await them.follow(event, undefined, table)).first.error).toMatchObject({
      code: 422,
      message: expect.stringContaining(table),
    });
  });

  test("gets refused for relations and unknown columns", async () => {
    const them = await connectTableFollower(line, people.mira);
    const options = { tableName: "Users", event: "set", relationColumnName: "posts" };
    for (const tableName of ["Users", "Discussions"])
      expect(
        (await them.subscribe("RELATIONS_CHANGES", { ...options, tableName }).next()).error,
      ).toMatchObject({
        code: 422,
        message: expect.stringMatching(
          new RegExp(`Relations of '${tableName}' have no events of their own`),
        ) as string,
      });
    expect((await them.follow("updated", "password = 'x'", "Users")).first.error).toMatchObject({
      code: 1006,
    });
  });
});
