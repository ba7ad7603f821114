import { describe, expect, test } from "vitest";
import { run, sql } from "#platform/database";
import { archiveGroup, getGroup, unarchiveGroup } from "#community/groups";
import { listGroupLog, listOwnReports, countOpenCases } from "#community/moderation";
import { type SignedIn } from "#community/rules";
import { createTestGroup, setMembership, createTestUsers } from "../support/test-users.ts";
import { testDatabase } from "../support/setup/test-database.ts";
import { setUpReporting } from "../support/moderation/reports.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;
const { onPerson, onGroup, look, end, listed, waiting, refused } = setUpReporting(database);

describe("report of a group", () => {
  test("notifies staff, never its moderators, and removes nothing automatically", async () => {
    const people = await createTestUsers(database);
    const { mira, tomas, noor, ines, ada } = people;
    const group = await createTestGroup(database, people, {
      visibility: "secret",
      name: "Beans <b>",
      rules: ["Buy here"],
    });
    await within((tx) => setMembership(tx, group.id, ines, "moderator"));
    const { id } = await onGroup(mira, group.id);
    const shown = await look(ada, id);
    // Staff see nothing else of a secret group.
    expect(shown.place).toMatchObject({
      kind: "group",
      id: group.id,
      title: "Beans <b>",
      gone: false,
      open: false,
    });
    expect(shown).toMatchObject({ group: null, canTakeDown: false, authors: [] });
    expect(shown.messages).toMatchObject([
      { author: null, html: expect.stringContaining("Beans &lt;b&gt;") as string },
    ]);
    expect(shown.messages[0]!.html).toContain("Buy here");
    for (const who of [tomas, noor, mira, ines])
      await expect(look(who, id)).rejects.toMatchObject(refused("not-found"));
    expect([await listed(tomas), await waiting(tomas), await listed(ines), await waiting(ines)]).toEqual([
      [],
      0,
      [],
      0,
    ]);
    expect(await countOpenCases(db, tomas, await getGroup(db, tomas, group.id))).toBe(0);
    expect([await listed(ada), await waiting(ada)]).toEqual([[id], 1]);
    await end(ada, id, "upheld");
    expect((await listOwnReports(db, mira)).rows).toMatchObject([
      { about: "group", authors: [], outcome: "upheld" },
    ]);
  });

  test("allows staff to archive the group with a reason for its log, and to reopen it", async () => {
    const people = await createTestUsers(database);
    const { mira, tomas, noor, ines, ada } = people;
    const group = await createTestGroup(database, people, {});
    const { id } = await onGroup(mira, group.id);
    expect(await look(ines, id)).toMatchObject({ canTakeDown: false, canArchive: true });
    await expect(end(ines, id, "archived")).rejects.toMatchObject({
      reason: "invalid",
      fields: { reason: expect.any(String) },
    });
    for (const who of [tomas, noor])
      await expect(end(who, id, "archived", "No shops.")).rejects.toMatchObject(refused("not-found"));
    await end(ines, id, "archived", "No shops.");
    expect((await listOwnReports(db, mira)).rows).toMatchObject([{ outcome: "upheld" }]);
    expect(await getGroup(db, tomas, group.id)).toMatchObject({ state: "archived" });
    expect((await listGroupLog(db, tomas, await getGroup(db, tomas, group.id))).rows[0]).toMatchObject({
      act: "group.archived",
      by: { username: "ines" },
      reason: "No shops.",
    });
    const open = (who: SignedIn) =>
      within((tx) => unarchiveGroup(tx, who, { groupId: group.id, reason: "" }));
    await expect(open(tomas)).rejects.toMatchObject({
      reason: "not-allowed",
      message: /Only staff can reopen it/,
    });
    expect(await getGroup(db, tomas, group.id)).toMatchObject({ state: "archived" });
    await open(ada);
    // A group archived by its owner is reopened by its owner, staff or not.
    await run(db, sql`update people set site_role = 'moderator' where id = ${tomas.id}`);
    await within((tx) => archiveGroup(tx, tomas, { groupId: group.id, reason: "" }));
    await open(tomas);
  });

  test("cannot archive a group that is already archived", async () => {
    const people = await createTestUsers(database);
    const { mira, noor, ines } = people;
    const group = await createTestGroup(database, people, {});
    await run(db, sql`update groups set state = 'archived', archived_at = now()`);
    const { id } = await onGroup(mira, group.id);
    expect(await look(ines, id)).toMatchObject({ canArchive: false });
    await expect(end(ines, id, "archived", "No shops.")).rejects.toMatchObject(refused("invalid"));
    const { id: other } = await onPerson(mira, noor);
    expect(await look(ines, other)).toMatchObject({ canArchive: false });
    await expect(end(ines, other, "archived", "No shops.")).rejects.toMatchObject(refused("invalid"));
  });

  test("notifies staff who moderate the group only if there is no other staff", async () => {
    const people = await createTestUsers(database);
    const { mira, ines, ada } = people;
    const group = await createTestGroup(database, people, {});
    for (const who of [ines, ada]) await within((tx) => setMembership(tx, group.id, who, "moderator"));
    const { id } = await onGroup(mira, group.id);
    for (const who of [ines, ada]) expect([await listed(who), await waiting(who)]).toEqual([[id], 1]);
  });

  test("cannot be made about one's own or an unknown group", async () => {
    const people = await createTestUsers(database);
    const { tomas, noor, guest } = people;
    const secret = await createTestGroup(database, people, { visibility: "secret" });
    await expect(onGroup(tomas, secret.id)).rejects.toMatchObject(refused("not-allowed"));
    await expect(onGroup(noor, secret.id)).rejects.toMatchObject(refused("not-found"));
    await expect(onGroup(guest, secret.id)).rejects.toMatchObject(refused("not-signed-in"));
  });
});
