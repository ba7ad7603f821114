import { describe, expect, test } from "vitest";
import { DAY, addMilliseconds } from "#platform/clock";
import { run, sql } from "#platform/database";
import { blockPerson } from "#community/friends";
import type { SignedIn, Viewer } from "#community/rules";
import {
  createTestGroup,
  setMembership,
  createTestUsers,
  createPerson,
} from "../../../test/support/test-users.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import { getGroup, listRelatedGroups } from "./index.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;

/**
 * Tomas and Mira are members of every group, and Rosa and Otto of those to which a test adds them. Noor sees
 * only what is public.
 */
async function scene() {
  const people = await createTestUsers(database);
  const [rosa, otto] = await within((tx) =>
    Promise.all([createPerson(tx, "rosa"), createPerson(tx, "otto")]),
  );
  const group = await createTestGroup(database, people, { name: "The Long Beds" });
  const another = async (
    name: string,
    visibility: "public" | "private" | "secret",
    ...members: SignedIn[]
  ) => {
    const created = await createTestGroup(database, people, { name, visibility, purpose: `${name}.` });
    for (const viewer of members) await within((tx) => setMembership(tx, created.id, viewer, "member"));
    return created;
  };
  for (const who of [rosa, otto]) await within((tx) => setMembership(tx, group.id, who, "member"));
  const related = async (viewer: Viewer, of = group.id) =>
    (await listRelatedGroups(db, viewer, await getGroup(db, viewer, of))).map((it) => it.name);
  return { ...people, rosa, otto, group, another, related };
}

describe("list of related groups", () => {
  test("contains the groups that share most members, with name and purpose only", async () => {
    const { noor, rosa, otto, group, another, related } = await scene();
    await another("Two", "public");
    await another("Four", "public", rosa, otto);
    await another("Three", "public", rosa);
    expect(await related(noor)).toEqual(["Four", "Three", "Two"]);
    expect((await listRelatedGroups(db, noor, await getGroup(db, noor, group.id)))[0]).toEqual({
      slug: "four",
      name: "Four",
      purpose: "Four.",
      visibility: "public",
      joinPolicy: "open",
    });
  });

  test("has at most five active groups, the latest active first if equally related", async () => {
    const { noor, another, related } = await scene();
    for (const n of [1, 2, 3, 4, 5, 6, 7]) {
      const { id } = await another(`Group ${n}`, "public");
      await run(
        db,
        sql`update groups set last_active_at = ${addMilliseconds(database.clock.at, n * DAY)}
          where id = ${id}`,
      );
    }
    await run(db, sql`update groups set state = 'archived' where name = 'Group 7'`);
    await run(db, sql`update groups set state = 'deleted' where name = 'Group 6'`);
    expect(await related(noor)).toEqual(["Group 5", "Group 4", "Group 3", "Group 2", "Group 1"]);
    await run(db, sql`update groups set state = 'active' where name in ('Group 6', 'Group 7')`);
    expect(await related(noor)).toEqual(["Group 7", "Group 6", "Group 5", "Group 4", "Group 3"]);
  });

  test("reveals no membership that is hidden from the viewer", async () => {
    const { noor, rosa, otto, ada, ines, another, related } = await scene();
    const closed = await another("Closed", "private", rosa);
    const hidden = await another("Hidden", "secret", rosa);
    const open = await another("Open", "public");
    expect((await related(rosa)).sort()).toEqual(["Closed", "Hidden", "Open"]);
    for (const viewer of [noor, otto, ada, ines]) expect(await related(viewer)).toEqual(["Open"]);
    // An invited person knows the group's name, but must not learn its members this way.
    for (const { id } of [closed, hidden]) await within((tx) => setMembership(tx, id, otto, "invited"));
    await within((tx) => setMembership(tx, open.id, noor, "banned"));
    expect([await related(otto), await related(noor)]).toEqual([["Open"], []]);
  });

  test("returns nothing to viewers who cannot see this group's members", async () => {
    const { guest, noor, mira, tomas, group, another, related } = await scene();
    await another("Open", "public");
    expect([await related(noor), await related(guest)]).toEqual([["Open"], []]);
    const closed = await another("Closed", "private");
    expect(await related(noor, closed.id)).toEqual([]);
    // With two shared members, the viewer does not count: the remaining one is below the minimum.
    expect(await related(mira, closed.id)).toEqual([]);
    const lea = await within((tx) => createPerson(tx, "lea"));
    for (const id of [closed.id, group.id]) await within((tx) => setMembership(tx, id, lea, "member"));
    expect(await related(mira, closed.id)).toEqual(["The Long Beds"]);
    expect(await related(tomas, closed.id)).toEqual(["The Long Beds"]);
    await within((tx) => setMembership(tx, group.id, noor, "banned"));
    expect(await related(noor)).toEqual([]);
  });

  test("does not count people who blocked the viewer or left the group", async () => {
    const { noor, mira, rosa, group, another, related } = await scene();
    const open = await another("Open", "public");
    await within((tx) => blockPerson(tx, mira, { personId: noor.id }));
    expect(await related(noor)).toEqual([]);
    await within((tx) => setMembership(tx, open.id, rosa, "member"));
    expect(await related(noor)).toEqual(["Open"]);
    await within((tx) => setMembership(tx, group.id, rosa, "left"));
    expect(await related(noor)).toEqual([]);
  });
});
