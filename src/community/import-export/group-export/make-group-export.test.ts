import { describe, expect, test } from "vitest";
import { run, sql } from "#platform/database";
import { listMailbox } from "#platform/mail";
import { Refusal } from "#platform/refusal";
import { type Storage } from "#platform/storage";
import {
  requestGroupExport,
  deleteExpiredGroupExports,
  completeGroupExport,
  getGroup,
  transferOwnership,
} from "#community/groups";
import { listGroupLog } from "#community/moderation";
import { GUEST } from "#community/rules";
import { setMembership } from "../../../../test/support/test-users.ts";
import { makeGroupExport } from "../index.ts";
import {
  clock,
  database,
  db,
  getExportFile,
  makeExport,
  makeRequestedExport,
  NOT_FOUND,
  requestExport,
  SENDER,
  setupExportedGroup,
  storage,
  within,
} from "../../../../test/support/import-export/exported-group.ts";

const DAY = 86_400_000;

describe("group export", () => {
  test("can be requested and seen by owners only", async () => {
    const { tomas, mira, noor, ada, ines, groupId, state } = await setupExportedGroup();
    await within((tx) => setMembership(tx, groupId, ada, "member"));
    await within((tx) => setMembership(tx, groupId, ines, "moderator"));
    for (const who of [mira, ada, ines]) {
      await expect(requestExport(who, groupId)).rejects.toMatchObject({ reason: "not-allowed" });
      await expect(state(who)).rejects.toMatchObject({ reason: "not-allowed" });
    }
    await expect(within((tx) => requestGroupExport(tx, GUEST, { groupId }))).rejects.toMatchObject({
      reason: "not-signed-in",
    });
    await requestExport(tomas, groupId);
    expect(await state(tomas)).toMatchObject({ latest: { state: "making", mine: true }, own: null });
    expect(await state(noor)).toMatchObject({ latest: { state: "making", mine: false }, own: null });
  });

  test("can run only once a day per group, not counting failed exports", async () => {
    const { tomas, noor, groupId, state } = await setupExportedGroup();
    const { id } = await requestExport(tomas, groupId);
    await expect(requestExport(noor, groupId)).rejects.toMatchObject({ reason: "conflict" });
    await makeRequestedExport(id);
    expect(await makeRequestedExport(id)).toBeNull();
    await expect(requestExport(noor, groupId)).rejects.toMatchObject({ reason: "too-many" });
    expect((await state(noor)).againAt).toEqual(new Date(clock.at.getTime() + DAY));
    clock.pass(DAY);
    const second = await requestExport(noor, groupId);
    // Each owner has their own export.
    expect(await getExportFile(tomas, id)).toMatchObject({ slug: `cellar-${groupId.slice(-6)}` });
    clock.pass(6 * 3_600_000);
    expect(await state(noor)).toMatchObject({ latest: { state: "failed", mine: true }, own: null });
    expect(await makeRequestedExport(second.id)).toBeNull();
    clock.pass(DAY);
    expect(await state(noor)).toMatchObject({ latest: { state: "ready", mine: false }, againAt: null });
    const third = await makeExport(tomas, groupId);
    await expect(getExportFile(tomas, id)).rejects.toMatchObject(NOT_FOUND);
    expect((await state(tomas)).own).toMatchObject({ id: third.id, size: third.size });
  });

  test("stops at two gigabytes and notifies its requester", async () => {
    const { tomas, groupId, state } = await setupExportedGroup();
    const small: Storage = { ...storage, put: (from, most) => storage.put(from, Math.min(most, 200)) };
    expect(await makeRequestedExport((await requestExport(tomas, groupId)).id, small)).toBeNull();
    expect(await state(tomas)).toMatchObject({
      latest: { state: "too-large", mine: true },
      own: null,
      againAt: expect.any(Date),
    });
    const broken: Storage = {
      ...storage,
      put: async () => Promise.reject(new Refusal("conflict", "No room.")),
    };
    clock.pass(DAY);
    await expect(makeRequestedExport((await requestExport(tomas, groupId)).id, broken)).rejects.toMatchObject(
      {
        reason: "conflict",
      },
    );
    expect(await state(tomas)).toMatchObject({ latest: { state: "making" } });
  });

  test("completes only if its requester is still an owner", async () => {
    const { tomas, noor, groupId, state } = await setupExportedGroup();
    const { id } = await requestExport(tomas, groupId);
    await within((tx) => transferOwnership(tx, tomas, { groupId, personId: noor.id }));
    expect(await makeRequestedExport(id)).toBeNull();
    expect(await state(noor)).toEqual({ latest: null, own: null, againAt: null });
    const second = await requestExport(noor, groupId);
    const it = await makeGroupExport({ database, storage }, second.id);
    await within((tx) =>
      run(
        tx,
        sql`update memberships set role = 'member' where group_id = ${groupId} and person_id = ${noor.id}`,
      ),
    );
    await within((tx) => completeGroupExport(tx, it!, SENDER));
    await expect(getExportFile(noor, second.id)).rejects.toMatchObject(NOT_FOUND);
    expect(await listMailbox(db, "noor@example.org")).toEqual([]);
    expect(await within(deleteExpiredGroupExports)).toEqual([it!.hash]);
  });

  test("sends a mail and writes an entry in the group's log", async () => {
    const { tomas, noor, groupId } = await setupExportedGroup();
    await makeExport(tomas, groupId);
    const [mail] = await listMailbox(db, "tomas@example.org");
    expect(mail!.text).toContain(`https://kith.test/groups/cellar-${groupId.slice(-6)}/manage/end`);
    expect(await listMailbox(db, "noor@example.org")).toEqual([]);
    const { rows } = await listGroupLog(db, noor, await getGroup(db, noor, groupId));
    expect(rows[0]).toMatchObject({ act: "group.exported", by: { username: "tomas" } });
  });
});
