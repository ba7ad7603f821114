import { describe, expect, test } from "vitest";
import { run, sql } from "#platform/database";
import type { SignedIn } from "#community/rules";
import {
  createTestGroup,
  setMembership,
  type TestUsers,
  createTestUsers,
  createPerson,
} from "../../../../test/support/test-users.ts";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import { getGroup, listMembers, type MembersQuery, removeMember } from "../index.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;

const namesOf = async (viewer: SignedIn, groupId: string, query: MembersQuery) =>
  (await listMembers(db, viewer, await getGroup(db, viewer, groupId), query)).rows.map((it) => it.username);

async function friends(one: SignedIn, other: SignedIn) {
  const [low, high] = [one.id, other.id].toSorted();
  await within((tx) =>
    run(
      tx,
      sql`insert into friendships (low_id, high_id, state, requested_by, requested_at, changed_at)
        values (${low}, ${high}, 'friends', ${low}, ${tx.now}, ${tx.now})`,
    ),
  );
}

/**
 * A group that Tomas owns and Ines moderates, with Mira, Noor and Ada as members. Noor is a friend of Mira
 * and Tomas.
 */
async function full(people: TestUsers) {
  const group = await createTestGroup(database, people, { visibility: "private" });
  await within(async (tx) => {
    await setMembership(tx, group.id, people.ines, "moderator");
    for (const viewer of [people.noor, people.ada]) await setMembership(tx, group.id, viewer, "member");
  });
  await friends(people.mira, people.noor);
  await friends(people.tomas, people.noor);
  return group;
}

describe("group member list", () => {
  test("can be filtered to owners and moderators, owners first", async () => {
    const people = await createTestUsers(database);
    const group = await full(people);
    expect(await namesOf(people.mira, group.id, { who: "leading" })).toEqual(["tomas", "ines"]);
    expect(await namesOf(people.mira, group.id, { who: "leading", search: "ine" })).toEqual(["ines"]);
    expect(await namesOf(people.mira, group.id, { who: "leading", search: "noor" })).toEqual([]);
  });

  test("can be filtered by the viewer's own friends", async () => {
    const people = await createTestUsers(database);
    const group = await full(people);
    const elsewhere = await within((tx) => createPerson(tx, "otto"));
    await friends(people.mira, elsewhere);
    expect(await namesOf(people.mira, group.id, { who: "friends" })).toEqual(["noor"]);
    expect((await namesOf(people.noor, group.id, { who: "friends" })).sort()).toEqual(["mira", "tomas"]);
    expect(await namesOf(people.ada, group.id, { who: "friends" })).toEqual([]);
  });

  test("leaves out deactivated accounts", async () => {
    const people = await createTestUsers(database);
    const group = await full(people);
    const count = async () => (await getGroup(db, people.tomas, group.id)).membersCount;
    const [, , ...newestFirst] = await namesOf(people.mira, group.id, {});
    expect(newestFirst).toContain("noor");
    await run(
      db,
      sql`update people set state = 'deactivated', deactivated_at = now() where id = ${people.noor.id}`,
    );
    await run(db, sql`update groups set members_count = 4 where id = ${group.id}`);
    expect(await namesOf(people.mira, group.id, {})).toEqual([
      "tomas",
      "ines",
      ...newestFirst.filter((it) => it !== "noor"),
    ]);
    expect(await namesOf(people.mira, group.id, { search: "noor" })).toEqual([]);
    expect(await namesOf(people.mira, group.id, { who: "friends" })).toEqual([]);
    expect((await getGroup(db, people.mira, group.id)).faces.map(({ username }) => username)).not.toContain(
      "noor",
    );
    await within((tx) =>
      removeMember(tx, people.tomas, { groupId: group.id, personId: people.noor.id, reason: "Gone." }),
    );
    expect(await count()).toBe(4);
    await within((tx) =>
      removeMember(tx, people.tomas, { groupId: group.id, personId: people.ada.id, reason: "Gone." }),
    );
    expect(await count()).toBe(3);
  });

  test("refuses viewers who may not see members, whatever the filter", async () => {
    const people = await createTestUsers(database);
    const group = await full(people);
    const otto = await within((tx) => createPerson(tx, "otto"));
    await friends(otto, people.mira);
    for (const who of ["leading", "friends"] as const) {
      await expect(namesOf(otto, group.id, { who })).rejects.toMatchObject({ reason: "not-allowed" });
      const found = await getGroup(db, people.guest, group.id);
      await expect(listMembers(db, people.guest, found, { who })).rejects.toMatchObject({
        reason: "not-signed-in",
      });
    }
    await within((tx) =>
      run(
        tx,
        sql`insert into blocks (blocker_id, blocked_id, created_at)
          values (${people.ines.id}, ${people.mira.id}, ${tx.now})`,
      ),
    );
    expect(await namesOf(people.mira, group.id, { who: "leading" })).toEqual(["tomas"]);
  });

  test("continues on the next page", async () => {
    const people = await createTestUsers(database);
    const group = await createTestGroup(database, people);
    for (let i = 0; i < 60; i++) {
      const friend = await within((tx) => createPerson(tx, `friend${i}`));
      await within((tx) => setMembership(tx, group.id, friend, i % 2 ? "member" : "moderator"));
      await friends(people.mira, friend);
    }
    for (const [who, most] of [
      ["friends", 60],
      ["leading", 31],
    ] as const) {
      const names: string[] = [];
      let after: string | undefined;
      do {
        const { rows, next } = await listMembers(db, people.mira, await getGroup(db, people.mira, group.id), {
          who,
          after,
        });
        names.push(...rows.map((it) => it.username));
        after = next ?? undefined;
      } while (after);
      expect([names.length, new Set(names).size]).toEqual([most, most]);
    }
  });
});
