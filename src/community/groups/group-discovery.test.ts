import { describe, expect, test } from "vitest";
import { DAY, addMilliseconds } from "#platform/clock";
import { run, sql } from "#platform/database";
import {
  createTestGroup,
  setMembership,
  createTestUsers,
  createPerson,
} from "../../../test/support/test-users.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import { GUEST, type Viewer } from "#community/rules";
import {
  type GroupOrder,
  listGroups,
  type GroupsQuery,
  inviteToGroup,
  listDiscoverableTopics,
} from "./index.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;

const discovered = async (viewer: Viewer, query: Omit<GroupsQuery, "tab">) =>
  (await listGroups(db, viewer, { tab: "discover", ...query })).rows.map((it) => it.name);

/** Three groups created a day apart: open, on request, by invitation. */
async function three() {
  const people = await createTestUsers(database);
  const groups = [];
  for (const [name, visibility, joinPolicy] of [
    ["Bees", "public", "open"],
    ["apples", "private", "request"],
    ["Cellar", "private", "invite"],
  ] as const) {
    database.clock.pass(DAY);
    groups.push(await createTestGroup(database, people, { name, visibility, joinPolicy }));
  }
  return { people, bees: groups[0]!, apples: groups[1]!, cellar: groups[2]! };
}

describe("group discovery", () => {
  test("filters by join policy", async () => {
    const { people } = await three();
    expect(await discovered(people.noor, { joinPolicy: "open" })).toEqual(["Bees"]);
    expect(await discovered(people.noor, { joinPolicy: "request" })).toEqual(["apples"]);
    expect(await discovered(people.noor, { joinPolicy: "invite" })).toEqual(["Cellar"]);
    expect(await discovered(people.noor, { joinPolicy: "request", search: "bees" })).toEqual([]);
  });

  test("filters by recent activity", async () => {
    const { people, bees, apples } = await three();
    const now = database.clock.at;
    const lastActive = (id: string, days: number) =>
      run(db, sql`update groups set last_active_at = ${addMilliseconds(now, -days * DAY)} where id = ${id}`);
    await lastActive(bees.id, 8);
    await lastActive(apples.id, 31);
    expect(await discovered(people.noor, { active: { within: "week", now } })).toEqual(["Cellar"]);
    expect(await discovered(people.noor, { active: { within: "month", now } })).toEqual(["Cellar", "Bees"]);
    expect(await discovered(people.noor, { active: { within: "month", now }, joinPolicy: "open" })).toEqual([
      "Bees",
    ]);
  });

  test("filters by topic, and lists only topics of groups the viewer can find", async () => {
    const { people, bees, apples, cellar } = await three();
    await createTestGroup(database, people, { name: "Hidden", visibility: "secret", topic: "hives" });
    const topics: [string, string][] = [
      [bees.id, "Orchard"],
      [apples.id, "orchard"],
      [cellar.id, "wine"],
    ];
    for (const [id, topic] of topics) await run(db, sql`update groups set topic = ${topic} where id = ${id}`);
    expect(await listDiscoverableTopics(db, people.noor)).toEqual([
      { topic: expect.stringMatching(/^orchard$/i), count: 2 },
      { topic: "wine", count: 1 },
    ]);
    expect(await listDiscoverableTopics(db, GUEST)).toEqual([{ topic: "Orchard", count: 1 }]);
    await within((tx) => setMembership(tx, bees.id, people.noor, "member"));
    expect((await listDiscoverableTopics(db, people.noor)).map(({ count }) => count)).toEqual([1, 1]);
    expect(await discovered(people.ada, { topic: "ORCHARD" })).toEqual(["apples", "Bees"]);
    expect(await discovered(people.ada, { topic: "hives" })).toEqual([]);
  });

  test("sorts in the requested order", async () => {
    const { people, apples } = await three();
    await within((tx) => setMembership(tx, apples.id, people.ada, "member"));
    await run(
      db,
      sql`update groups set members_count = (select count(*) from memberships where group_id = groups.id)`,
    );
    await run(
      db,
      sql`update groups set last_active_at = ${addMilliseconds(database.clock.at, DAY)} where name = 'Bees'`,
    );
    const inOrder = (sort: GroupOrder) => discovered(people.noor, { sort });
    expect(await inOrder("active")).toEqual(["Bees", "Cellar", "apples"]);
    expect(await inOrder("newest")).toEqual(["Cellar", "apples", "Bees"]);
    expect(await inOrder("name")).toEqual(["apples", "Bees", "Cellar"]);
    expect((await inOrder("members"))[0]).toBe("apples");
  });

  test("never shows groups that the viewer may not see", async () => {
    const people = await createTestUsers(database);
    const secret = await createTestGroup(database, people, { name: "Hollow", visibility: "secret" });
    await createTestGroup(database, people, { name: "Closed", visibility: "private" });
    const otto = await within((tx) => createPerson(tx, "otto"));
    await within((tx) => inviteToGroup(tx, people.tomas, { groupId: secret.id, personId: otto.id }));
    for (const sort of ["active", "members", "newest", "name"] as const) {
      expect(await discovered(people.guest, { sort })).toEqual([]);
      expect(await discovered(people.noor, { sort })).toEqual(["Closed"]);
      expect(await discovered(people.noor, { sort, joinPolicy: "invite" })).toEqual([]);
      expect((await discovered(otto, { sort })).sort(), "who is invited finds it").toEqual([
        "Closed",
        "Hollow",
      ]);
    }
  });

  test("continues on the next page in every order, even among groups with equal values", async () => {
    const people = await createTestUsers(database);
    for (let i = 0; i < 29; i++)
      await createTestGroup(database, people, {
        name: `${i % 2 ? "GROUP" : "group"} ${i % 3}`,
        joinPolicy: "open",
      });
    for (const sort of ["active", "members", "newest", "name"] as const) {
      const first = await listGroups(db, people.noor, { tab: "discover", sort, joinPolicy: "open" });
      const second = await listGroups(db, people.noor, {
        tab: "discover",
        sort,
        joinPolicy: "open",
        after: first.next!,
      });
      expect([first.rows.length, second.rows.length, second.next]).toEqual([24, 5, null]);
      expect(new Set([...first.rows, ...second.rows].map((it) => it.id)).size, sort).toBe(29);
    }
  });

  test("starts at the beginning for a cursor of a different order", async () => {
    const { people } = await three();
    for (const after of [
      "x",
      Buffer.from('["a","b"]').toString("base64url"),
      Buffer.from("[1]").toString("base64url"),
    ])
      expect(await discovered(people.noor, { sort: "name", after })).toHaveLength(3);
  });
});
