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
  const heard = new Map<string, Awaited<ReturnType<(typeof them)[number]["follow"]>>["heard"][]>();
  for (const [at, one] of them.entries()) {
    const both = [await one.follow("created", where, table), await one.follow("updated", where, table)];
    for (const { first } of both) expect(first.event).toBe("SUB_READY");
    heard.set(
      names[at]!,
      both.map((it) => it.heard),
    );
  }
  return {
    async heard() {
      await line.told();
      for (const one of them) await one.still();
      const told = [...heard].map(([name, lists]) => [
        name,
        lists.flatMap(({ all }) => all.flatMap(({ data }) => data ?? [])),
      ]);
      return Object.fromEntries(told) as Record<(typeof names)[number], Record<string, unknown>[]>;
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
    const { heard } = await everybody("Users", `objectId = '${people.mira.id}'`);
    await bio(people.mira, "I grow leeks.");
    await bio(people.noor, "Nobody asked about me.");
    const told = await heard();
    const bios = (name: keyof typeof told) => told[name].map((it) => it["bio"]);
    expect([bios("mira"), bios("tomas"), bios("noor")]).toEqual([
      ["I grow leeks."],
      ["I grow leeks."],
      [null],
    ]);
    expect(told.guest).toEqual([]);
    expect([told.mira[0]!["email"], told.noor[0]!["email"]]).toEqual(["mira@example.org", null]);
  });

  test("delivers nothing to a blocked person", async () => {
    await within((tx) => blockPerson(tx, people.mira, { personId: people.noor.id }));
    const { heard } = await everybody("Users", "email like '%example.org'");
    await bio(people.mira, "I grow leeks.");
    const told = await heard();
    expect([told.mira, told.ines, told.tomas, told.noor].map((list) => list.length)).toEqual([1, 1, 0, 0]);
  });

  test("delivers the fields for members after a moderator has lost the role", async () => {
    const ines = await connectTableFollower(line, people.ines);
    const { heard } = await ines.follow("updated", undefined, "Users");
    await bio(people.mira, "I grow leeks.");
    expect((await heard.next()).data).toMatchObject({ email: "mira@example.org" });
    await run(database.db, sql`update people set site_role = 'member' where id = ${people.ines.id}`);
    await within((tx) =>
      emit(tx, { type: "person.role-changed", personId: people.ines.id, role: "member", by: people.ada.id }),
    );
    await heard.next();
    await bio(people.mira, "And peas.");
    expect((await heard.next()).data).toMatchObject({ objectId: people.mira.id, email: null });
  });
});

test("resource of a secret group is delivered to the group's members only", async () => {
  const group = await createTestGroup(database, people, { visibility: "secret" });
  const { heard } = await everybody("Resources");
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
  const told = await heard();
  const titles = (name: keyof typeof told) => told[name].map((it) => it["title"]);
  expect([titles("mira"), titles("tomas")]).toEqual([
    ["Leeks", "For all"],
    ["Leeks", "For all"],
  ]);
  expect([titles("noor"), titles("guest")]).toEqual([["For all"], ["For all"]]);
});

test("friend request is delivered to both people, each with their own view", async () => {
  const { heard } = await everybody("Friendships");
  await within((tx) =>
    sendFriendRequest(tx, people.mira, { personId: people.tomas.id, note: "From the market." }),
  );
  const told = await heard();
  const states = (viewer: keyof typeof told) => told[viewer].map((it) => [it["state"], it["personId"]]);
  expect([states("mira"), states("tomas")]).toEqual([
    [["sent", people.tomas.id]],
    [["received", people.mira.id]],
  ]);
  expect([told.noor, told.ines, told.guest]).toEqual([[], [], []]);
});

test("notification is delivered to its recipient only", async () => {
  const group = await createTestGroup(database, people);
  await within((tx) => setMembership(tx, group.id, people.noor, "member"));
  const discussion = await createTestDiscussion(database, people.mira, group.id);
  const { heard } = await everybody("Notifications");
  await createTestReply(database, people.tomas, discussion.id);
  for (const pendingEvent of await many(
    database.db,
    sql<PendingEvent>`select id, type, payload, at, done from outbox where type = 'post.written'`,
  ))
    await notifyOfEvent(database, pendingEvent);
  const told = await heard();
  expect(told.mira).toMatchObject([{ ownerId: people.mira.id, aboutId: discussion.id, unread: true }]);
  expect([told.tomas, told.ines, told.guest]).toEqual([[], [], []]);
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
    const asked = { tableName: "Users", event: "set", relationColumnName: "posts" };
    for (const tableName of ["Users", "Discussions"])
      expect((await them.subscribe("RELATIONS_CHANGES", { ...asked, tableName }).next()).error).toMatchObject(
        {
          code: 422,
          message: expect.stringMatching(
            new RegExp(`Relations of '${tableName}' have no events of their own`),
          ) as string,
        },
      );
    expect((await them.follow("updated", "password = 'x'", "Users")).first.error).toMatchObject({
      code: 1006,
    });
  });
});
