import { describe, expect, test } from "vitest";
import { run, sql } from "#platform/database";
import { announce } from "#platform/outbox";
import { besideHome, noticesFor, notificationsOf } from "#community/notifications";
import { addPerson } from "#community/people";
import type { Viewer } from "#community/rules";
import { carry, carryAgain, toldTo } from "../src/community/notifications/told.fixture.ts";
import { testHouse } from "../src/community/people/house.fixture.ts";
import { cast, type Cast } from "./cast.ts";
import { testDatabase } from "./setup/database.ts";

const database = await testDatabase();
const { db, clock, inTransaction: within } = database;
const told = (who: { id: string }) => toldTo(database, who);
const house = testHouse(database);

/** A person who registered and confirmed their address, where staff approve each account. */
const waits = (username: string) =>
  within(async (tx) => {
    const personId = await addPerson(tx, { username, name: username, email: `${username}@example.org`, state: "pending_approval" });
    await announce(tx, { type: "person.awaits-approval", personId });
    return personId;
  });
const linesOf = async (who: Viewer, tab: "all" | "requests" = "all") => (await notificationsOf(db, who, { tab })).rows;
const counted = async ({ ada, ines, mira }: Cast) =>
  Promise.all([ada, ines, mira].map(async (who) => (await besideHome(db, who, clock.at)).waiting.accounts));

describe("account waiting for approval", () => {
  test("notifies staff alone, without a name, and counts for them", async () => {
    const people = await cast(database);
    const zoe = await waits("zoe");
    await carry(database);
    await carryAgain(database);
    for (const who of [people.ada, people.ines]) expect(await told(who)).toEqual(["account_waits staff"]);
    expect(await told(people.mira)).toEqual([]);
    expect(await linesOf(people.ines, "requests")).toMatchObject([{ kind: "account_waits", object: { id: zoe, title: "" }, actors: [] }]);
    expect(await counted(people)).toEqual([1, 1, 0]);
    await run(db, sql`update people set site_role = 'member' where id = ${people.ada.id}`);
    expect(await linesOf(people.ada)).toEqual([]);
  });

  test("loses its notification once it is approved", async () => {
    const people = await cast(database);
    const [zoe] = [await waits("zoe"), await waits("bea")];
    await carry(database);
    await house.accounts.approve(people.ines, zoe);
    await carry(database);
    expect((await told(people.ada)).sort()).toEqual(["account_waits staff", "account_waits staff read"]);
    expect(await linesOf(people.ada)).toHaveLength(1);
    expect(await counted(people)).toEqual([1, 1, 0]);
  });

  test("loses its notification once it is rejected", async () => {
    const people = await cast(database);
    const zoe = await waits("zoe");
    await carry(database);
    await house.accounts.decline(people.ada, { personId: zoe, reason: "" });
    await carry(database);
    expect(await told(people.ada)).toEqual(["account_waits staff read"]);
    expect(await linesOf(people.ada)).toEqual([]);
    expect(await counted(people)).toEqual([0, 0, 0]);
  });

  test("lets only staff choose how they are notified", async () => {
    const { ada, ines, mira } = await cast(database);
    const kinds = async (who: typeof ada) => (await noticesFor(db, who, clock.at)).kinds.map(({ kind }) => kind);
    for (const who of [ada, ines]) expect(await kinds(who)).toContain("account_waits");
    expect(await kinds(mira)).not.toContain("account_waits");
  });
});
