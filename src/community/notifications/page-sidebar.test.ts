import { describe, expect, test } from "vitest";
import { run, sql } from "#platform/database";
import { listConversations, startConversation } from "#community/conversations";
import { listGroups, pinGroup } from "#community/groups";
import { createTestDiscussion, createTestGroup, createTestUsers } from "../../../test/support/test-users.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import { getBadges, getPageSidebar } from "./index.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;

describe("page sidebar", () => {
  test("loads groups, conversations and badges in one query", async () => {
    const people = await createTestUsers(database);
    const { mira, tomas, ada } = people;
    const group = await createTestGroup(database, people, { visibility: "secret", name: "Secret" });
    await createTestGroup(database, { ...people, mira: ada }, { visibility: "public", name: "Not hers" });
    database.clock.pass(1000);
    await createTestGroup(database, people, { name: "Later" });
    await within((tx) => pinGroup(tx, mira, { groupId: group.id }));
    await createTestDiscussion(database, tomas, group.id);
    await within((tx) => startConversation(tx, mira, { to: ["tomas"], name: "", body: "A word?" }));

    const shell = await getPageSidebar(db, mira);
    expect(shell.conversations).toHaveLength(1);
    expect(shell.badges).toEqual(await getBadges(db, mira));
    expect(shell.conversations).toEqual((await listConversations(db, mira, { tab: "all" })).rows);
    const { rows } = await listGroups(db, mira, { tab: "mine" });
    expect(shell.groups).toEqual(rows.map(({ id, slug, name, unread }) => ({ id, slug, name, unread })));
    expect(shell.groups.map((it) => it.name)).toEqual(["Secret", "Later"]);
  });

  test("sorts groups by name after pinned ones, whatever their activity", async () => {
    const people = await createTestUsers(database);
    const { mira, tomas } = people;
    const names = ["beds", "Chain", "Attic", "Zoo"];
    const groups: { id: string }[] = [];
    for (const name of names) groups.push(await createTestGroup(database, people, { name }));
    await within((tx) => pinGroup(tx, mira, { groupId: groups[3]!.id }));
    for (const group of groups) {
      database.clock.pass(1000);
      await createTestDiscussion(database, tomas, group.id);
      const shown = (await getPageSidebar(db, mira)).groups;
      expect(shown.map(({ name }) => name)).toEqual(["Zoo", "Attic", "beds", "Chain"]);
    }
  });

  test("counts unread discussions of unlisted groups, but not of muted groups", async () => {
    const people = await createTestUsers(database);
    const { mira, tomas } = people;
    for (let n = 0; n < 14; n++) {
      const group = await createTestGroup(database, people, { name: `Group ${n}` });
      await createTestDiscussion(database, tomas, group.id);
      if (n === 3 || n === 13)
        await run(
          db,
          sql`update memberships set notify_level = 'mute'
            where group_id = ${group.id} and person_id = ${mira.id}`,
        );
      database.clock.pass(1000);
    }
    const { badges, groups } = await getPageSidebar(db, mira);
    expect([groups.length, groups.every(({ unread }) => unread === 1), badges.unreadDiscussions]).toEqual([
      12,
      true,
      12,
    ]);
    expect(badges).toEqual(await getBadges(db, mira));
  });

  test("contains no conversations if the page does not request them", async () => {
    const people = await createTestUsers(database);
    await createTestGroup(database, people);
    await within((tx) => startConversation(tx, people.mira, { to: ["tomas"], name: "", body: "A word?" }));
    const { conversations, badges } = await getPageSidebar(db, people.tomas, { conversations: false });
    expect([conversations, badges.messageRequests]).toEqual([null, 1]);
  });
});
