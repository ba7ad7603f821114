import { describe, expect, test } from "vitest";
import { DAY } from "#platform/clock";
import { many, run, sql } from "#platform/database";
import type { SignedIn } from "#community/rules";
import { defaultSettings } from "#community/settings";
import { aGroup, announced, bring, cast, person } from "../../../test/cast.ts";
import { testDatabase } from "../../../test/setup/database.ts";
import {
  bringBack,
  createGroup,
  deleteGroup,
  groupFor,
  groupsFor,
  joinGroup,
  leaveGroup,
  leaveGroupsBehind,
  NewGroup,
  unarchiveGroup,
} from "./index.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;

/** Tomas alone owns it, and closes his account. */
async function closed(visibility: "public" | "private" = "public") {
  const people = await cast(database);
  const group = await aGroup(database, people, { visibility });
  await within((tx) => leaveGroup(tx, people.mira, { groupId: group.id }));
  await within((tx) => closes(tx, people.tomas));
  return { ...people, group, it: { groupId: group.id, reason: "" } };
}

async function closes(tx: Parameters<typeof leaveGroupsBehind>[0], who: SignedIn) {
  await leaveGroupsBehind(tx, who);
  await run(tx, sql`update people set state = 'deactivated', deactivated_at = ${tx.now} where id = ${who.id}`);
}

describe("a group whose only person closes their account", () => {
  test("is archived at once: nobody joins what nobody looks after", async () => {
    const { noor, tomas, group, it } = await closed();
    expect(await groupFor(db, noor, group.id)).toMatchObject({ state: "archived" });
    expect((await groupsFor(db, noor, { tab: "discover" })).rows.map(({ id }) => id)).not.toContain(group.id);
    await expect(within((tx) => joinGroup(tx, noor, it))).rejects.toMatchObject({ reason: "not-allowed" });
    expect(await many(db, sql`select act, actor_id as by from audit_events where object_id = ${group.id}`)).toEqual([
      { act: "group.archived", by: tomas.id },
    ]);
    expect(await announced(database)).toContain("group.archived");
  });

  test("is theirs still when they come back, and they open it again", async () => {
    const { tomas, noor, group, it } = await closed();
    await run(db, sql`update people set state = 'active', deactivated_at = null where id = ${tomas.id}`);
    await within((tx) => unarchiveGroup(tx, tomas, it));
    await within((tx) => joinGroup(tx, noor, it));
    expect(await groupFor(db, noor, group.id)).toMatchObject({ state: "active", viewerState: "member" });
  });

  test("goes, where nobody has let it in", async () => {
    const people = await cast(database);
    const newcomer = await within((tx) => person(tx, "newcomer", "member", "new"));
    const wish = NewGroup.parse({ name: "Kites", visibility: "public", joinPolicy: "open" });
    const site = { ...defaultSettings, whoCreatesGroups: "members" as const, newcomersGroups: "approval" as const };
    const { id } = await within((tx) => createGroup(tx, newcomer, wish, site));
    await within((tx) => leaveGroupsBehind(tx, people.mira));
    expect(await many(db, sql`select state from groups where id = ${id}`)).toEqual([{ state: "pending" }]);
    await within((tx) => leaveGroupsBehind(tx, newcomer));
    expect(await many(db, sql`select state from groups where id = ${id}`)).toEqual([]);
  });

  test("stays open where somebody else owns it, and waits for an heir where somebody could", async () => {
    const people = await cast(database);
    const group = await aGroup(database, people);
    await expect(within((tx) => leaveGroupsBehind(tx, people.tomas))).rejects.toMatchObject({ reason: "conflict" });
    await within((tx) => bring(tx, group.id, people.mira, "owner"));
    await within((tx) => leaveGroupsBehind(tx, people.tomas));
    expect(await groupFor(db, people.mira, group.id)).toMatchObject({ state: "active" });
  });
});

describe("an archived group without an owner", () => {
  test("is opened again by nobody, before it has one", async () => {
    const { ada, mira, group, it } = await closed();
    await expect(within((tx) => unarchiveGroup(tx, mira, it))).rejects.toMatchObject({ reason: "not-allowed" });
    await expect(within((tx) => unarchiveGroup(tx, ada, it))).rejects.toMatchObject({ reason: "conflict", message: /owner/ });
    expect(await groupFor(db, ada, group.id)).toMatchObject({ state: "archived" });
    await within((tx) => bring(tx, group.id, mira, "owner"));
    await within((tx) => unarchiveGroup(tx, ada, it));
    expect(await groupFor(db, ada, group.id)).toMatchObject({ state: "active" });
  });

  test("comes back archived, where it was deleted before its owner went", async () => {
    const people = await cast(database);
    const group = await aGroup(database, people);
    const it = { groupId: group.id, reason: "" };
    await within((tx) => leaveGroup(tx, people.mira, it));
    await within((tx) => deleteGroup(tx, people.tomas, it));
    await within((tx) => closes(tx, people.tomas));
    database.clock.pass(DAY);
    await within((tx) => bringBack(tx, people.ada, it));
    expect(await groupFor(db, people.ada, group.id)).toMatchObject({ state: "archived" });
  });
});
