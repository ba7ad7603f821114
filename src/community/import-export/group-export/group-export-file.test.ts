import { describe, expect, test } from "vitest";
import { many, run, sql } from "#platform/database";
import {
  banFromGroup,
  deleteGroup,
  deleteExpiredGroupExports,
  transferOwnership,
  leaveGroup,
  purgeDeletedGroups,
} from "#community/groups";
import { eraseDeactivated } from "#community/accounts";
import { GUEST } from "#community/rules";
import {
  clock,
  db,
  getExportFile,
  makeExport,
  NOT_FOUND,
  setupExportedGroup,
  within,
} from "../../../../test/support/import-export/exported-group.ts";

const DAY = 86_400_000;

describe("a finished group export", () => {
  test("can be downloaded by its requester for seven days", async () => {
    const { tomas, noor, mira, ada, groupId } = await setupExportedGroup();
    const { id, hash, size } = await makeExport(tomas, groupId);
    expect(await getExportFile(tomas, id)).toEqual({ hash, size, slug: `cellar-${groupId.slice(-6)}` });
    for (const who of [noor, mira, ada, GUEST])
      await expect(getExportFile(who, id)).rejects.toMatchObject(NOT_FOUND);
    await expect(getExportFile(tomas, "nonsense")).rejects.toMatchObject(NOT_FOUND);
    expect(await within(deleteExpiredGroupExports)).toEqual([]);
    clock.pass(7 * DAY);
    await expect(getExportFile(tomas, id)).rejects.toMatchObject(NOT_FOUND);
    expect(await within(deleteExpiredGroupExports)).toEqual([hash]);
    expect(await many(db, sql`select 1 from group_exports`)).toEqual([]);
  });

  test.each([
    [
      "hands the group over",
      ({ tomas, noor, groupId }) =>
        within((tx) => transferOwnership(tx, tomas, { groupId, personId: noor.id })),
    ],
    ["leaves it", ({ tomas, groupId }) => within((tx) => leaveGroup(tx, tomas, { groupId }))],
    [
      "is kept out",
      ({ tomas, noor, groupId }) =>
        within((tx) => banFromGroup(tx, noor, { groupId, personId: tomas.id, reason: "Loud." })),
    ],
    ["deletes it", ({ tomas, groupId }) => within((tx) => deleteGroup(tx, tomas, { groupId, reason: "" }))],
  ] as [string, (it: Awaited<ReturnType<typeof setupExportedGroup>>) => Promise<unknown>][])(
    "returns not-found to a person who %s",
    async (_, then) => {
      const it = await setupExportedGroup();
      const { id } = await makeExport(it.tomas, it.groupId);
      await getExportFile(it.tomas, id);
      await then(it);
      await expect(getExportFile(it.tomas, id)).rejects.toMatchObject(NOT_FOUND);
    },
  );

  test("gets deleted with the account and with the group", async () => {
    const { tomas, noor, groupId } = await setupExportedGroup();
    const first = await makeExport(tomas, groupId);
    await within((tx) =>
      run(
        tx,
        sql`update people set state = 'deactivated', deactivated_at = ${new Date(0)} where id = ${tomas.id}`,
      ),
    );
    await within(eraseDeactivated);
    expect(await within(deleteExpiredGroupExports)).toEqual([first.hash]);
    clock.pass(DAY);
    const second = await makeExport(noor, groupId);
    await within((tx) => deleteGroup(tx, noor, { groupId, reason: "" }));
    await run(db, sql`update groups set deleted_at = ${new Date(0)} where id = ${groupId}`);
    await within(purgeDeletedGroups);
    expect(await within(deleteExpiredGroupExports)).toEqual([second.hash]);
  });

  test("stays stored as long as another owner has the same file", async () => {
    const { tomas, noor, groupId } = await setupExportedGroup();
    const first = await makeExport(tomas, groupId);
    clock.pass(6 * DAY);
    const second = await makeExport(noor, groupId);
    expect(second.hash).toBe(first.hash);
    clock.pass(DAY);
    expect(await within(deleteExpiredGroupExports)).toEqual([]);
    clock.pass(6 * DAY);
    expect(await within(deleteExpiredGroupExports)).toEqual([first.hash]);
  });
});
