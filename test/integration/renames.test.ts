import { beforeEach, describe, expect, test } from "vitest";
import { DAY, HOUR } from "#platform/clock";
import { run, sql } from "#platform/database";
import { getGroup, updateGroup } from "#community/groups";
import { getPerson, updateProfile } from "#community/accounts";
import type { SignedIn } from "#community/rules";
import { runConcurrently } from "../support/concurrently.ts";
import { createTestGroup, setMembership, type TestUsers, createTestUsers } from "../support/test-users.ts";
import { testDatabase } from "../support/setup/test-database.ts";

const database = await testDatabase();
const { db, inTransaction: within, clock } = database;
const TOO_OFTEN = { reason: "too-many", fields: { name: expect.any(String) } };

let people: TestUsers;
let group: { id: string; slug: string };
beforeEach(async () => {
  people = await createTestUsers(database);
  await run(db, sql`delete from settings where key = 'writingLimits'`);
  group = await createTestGroup(database, people);
  await within((tx) => setMembership(tx, group.id, people.mira, "owner"));
});

const kinds = {
  "a person": {
    call: (by: SignedIn, name: string) => within((tx) => updateProfile(tx, by, people.mira.id, { name })),
    called: async () => (await getPerson(db, people.mira, people.mira.id)).name,
  },
  "a group": {
    call: (by: SignedIn, name: string) => within((tx) => updateGroup(tx, by, { groupId: group.id, name })),
    called: async () => (await getGroup(db, people.mira, group.id)).name,
  },
};

describe.each(Object.entries(kinds))("%s", (_, { call, called }) => {
  test("can be renamed five times a day; saving the same name does not count", async () => {
    for (let n = 1; n <= 5; n++) {
      clock.pass(HOUR);
      await call(people.mira, `Called ${n}`);
      await call(people.mira, `Called ${n}`);
    }
    await expect(call(people.mira, "Once more")).rejects.toMatchObject({
      ...TOO_OFTEN,
      retryAfter: 20 * 3_600,
    });
    expect(await called()).toBe("Called 5");
    await call(people.mira, "Called 5");
    clock.pass(DAY - 4 * HOUR);
    await call(people.mira, "The next day");
    expect(await called()).toBe("The next day");
  });

  test("has no rename limit if an admin has disabled the writing limits", async () => {
    await run(
      db,
      sql`insert into settings (key, value, changed_at) values ('writingLimits', 'false', now())`,
    );
    for (let n = 1; n <= 7; n++) await call(people.mira, `Called ${n}`);
    expect(await called()).toBe("Called 7");
  });
});

test("one of two concurrent renames at the limit succeeds", async () => {
  const call = (name: string) => kinds["a person"].call(people.mira, name);
  for (let n = 1; n <= 4; n++) await call(`Called ${n}`);
  const name = (it: string) => (tx: Parameters<typeof updateProfile>[0]) =>
    updateProfile(tx, people.mira, people.mira.id, { name: it });
  expect(await runConcurrently(database, name("One"), name("Two"))).toMatchObject([
    { status: "fulfilled" },
    { reason: TOO_OFTEN },
  ]);
});

test("moderators rename a person regardless of the person's limit", async () => {
  for (let n = 1; n <= 5; n++) await kinds["a person"].call(people.mira, `Called ${n}`);
  await kinds["a person"].call(people.ada, "Mira");
  expect(await kinds["a person"].called()).toBe("Mira");
});

test("a group keeps its address through all renames", async () => {
  await kinds["a group"].call(people.mira, "The Short Beds");
  expect(await getGroup(db, people.guest, group.slug)).toMatchObject({
    id: group.id,
    slug: group.slug,
    name: "The Short Beds",
  });
});
