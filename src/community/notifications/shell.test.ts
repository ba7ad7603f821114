import { describe, expect, test } from "vitest";
import { conversationsOf, startConversation } from "#community/conversations";
import { groupsFor, pinGroup } from "#community/groups";
import { aDiscussion, aGroup, cast } from "../../../test/cast.ts";
import { testDatabase } from "../../../test/setup/database.ts";
import { badgesFor, shellFor } from "./index.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;

describe("what stands beside every page", () => {
  test("is in one query what the pages themselves say", async () => {
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
});
