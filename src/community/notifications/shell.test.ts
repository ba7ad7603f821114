import { describe, expect, test } from "vitest";
import { run, sql } from "#platform/database";
import { conversationsOf, startConversation } from "#community/conversations";
import { groupsFor, pinGroup } from "#community/groups";
import { aDiscussion, aGroup, cast } from "../../../test/cast.ts";
import { testDatabase } from "../../../test/setup/database.ts";
import { badgesFor, shellFor } from "./index.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;

describe("page sidebar", () => {
  test("returns in one query what the pages show", async () => {
    const people = await cast(database);
    const { mira, tomas, ada } = people;
    const group = await aGroup(database, people, { visibility: "secret", name: "Secret" });
    await aGroup(database, { ...people, mira: ada }, { visibility: "public", name: "Not hers" });
    database.clock.pass(1000);
    await aGroup(database, people, { name: "Later" });
    await within((tx) => pinGroup(tx, mira, { groupId: group.id }));
    await aDiscussion(database, tomas, group.id);
    await within((tx) => startConversation(tx, mira, { to: ["tomas"], name: "", body: "A word?" }));

    const shell = await shellFor(db, mira);
    expect(shell.conversations).toHaveLength(1);
    expect(shell.badges).toEqual(await badgesFor(db, mira));
    expect(shell.conversations).toEqual((await conversationsOf(db, mira, { tab: "all" })).rows);
    const { rows } = await groupsFor(db, mira, { tab: "mine" });
    expect(shell.groups).toEqual(rows.map(({ id, slug, name, unread }) => ({ id, slug, name, unread })));
    expect(shell.groups.map((it) => it.name)).toEqual(["Secret", "Later"]);
  });

  test("counts unread in groups not listed in the sidebar, but not in muted ones", async () => {
    const people = await cast(database);
    const { mira, tomas } = people;
    for (let n = 0; n < 14; n++) {
      const group = await aGroup(database, people, { name: `Group ${n}` });
      await aDiscussion(database, tomas, group.id);
      if (n === 3 || n === 13)
        await run(db, sql`update memberships set notify_level = 'mute' where group_id = ${group.id} and person_id = ${mira.id}`);
      database.clock.pass(1000);
    }
    const { badges, groups } = await shellFor(db, mira);
    expect([groups.length, groups.every(({ unread }) => unread === 1), badges.unreadDiscussions]).toEqual([12, true, 12]);
    expect(badges).toEqual(await badgesFor(db, mira));
  });

  test("has no conversations if the page does not show them", async () => {
    const people = await cast(database);
    await aGroup(database, people);
    await within((tx) => startConversation(tx, people.mira, { to: ["tomas"], name: "", body: "A word?" }));
    const { conversations, badges } = await shellFor(db, people.tomas, { conversations: false });
    expect([conversations, badges.messageRequests]).toEqual([null, 1]);
  });
});
