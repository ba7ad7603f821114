import { describe, expect, test } from "vitest";
import { many, one, run, sql } from "#platform/database";
import { listMailbox } from "#platform/mail";
import {
  requestExport,
  eraseDeactivated,
  getExportFile,
  getOwnExport,
  deleteExpiredExports,
  completeExport,
} from "#community/accounts";
import { GUEST } from "#community/rules";
import { makePersonalExport } from "../index.ts";
import {
  app,
  clock,
  database,
  db,
  makeExport,
  requestPersonalExport,
  setupActivePeople,
  storage,
  within,
} from "../../../../test/support/import-export/personal-export-setup.ts";
import { createTestAccounts } from "../../../../test/support/accounts/test-accounts.ts";

describe("personal export", () => {
  test("fails if a file's bytes are unreadable and succeeds once they are readable again", async () => {
    const { mira } = await setupActivePeople();
    const { id } = await requestPersonalExport(mira);
    const away = { ...storage, open: () => Promise.reject(new Error("The disk is away.")) };
    await expect(makePersonalExport({ database, storage: away }, id)).rejects.toThrow("The disk is away.");
    expect(await makePersonalExport(app, id)).toMatchObject({ id });
  });

  test("can run three times a day, each time replacing the previous export", async () => {
    const { mira } = await setupActivePeople();
    const { id } = await requestPersonalExport(mira);
    await expect(requestPersonalExport(mira)).rejects.toMatchObject({ reason: "conflict" });
    expect(await getOwnExport(db, mira, clock.at)).toMatchObject({ id, readyAt: null });
    await completeExport(createTestAccounts(database), (await makePersonalExport(app, id))!);
    expect(await makePersonalExport(app, id)).toBeNull();
    const second = await makeExport(mira);
    await expect(getExportFile(db, mira, id, clock.at)).rejects.toMatchObject({ reason: "not-found" });
    expect(await getOwnExport(db, mira, clock.at)).toMatchObject({ id: second.id, size: second.size });
    await makeExport(mira);
    // An expired export is deleted, and still counts against today's limit.
    await within(deleteExpiredExports);
    await expect(requestPersonalExport(mira)).rejects.toMatchObject({ reason: "too-many" });
    clock.pass(86_400_001);
    // An export whose process died does not block new ones for ever.
    await requestPersonalExport(mira);
    clock.pass(6 * 3_600_000 + 1);
    await requestPersonalExport(mira);
    await expect(within((tx) => requestExport(tx, GUEST))).rejects.toMatchObject({ reason: "not-signed-in" });
  });

  test("sends a mail and is available to its owner for seven days", async () => {
    const { mira, tomas, ada } = await setupActivePeople();
    const { id, hash, size } = await makeExport(mira);
    const [mail] = await listMailbox(db, "mira@example.org");
    expect(mail!.text).toContain(`https://kith.test/users/settings/${mira.id}/data#data`);
    expect(await getExportFile(db, mira, id, clock.at)).toEqual({ hash, size });
    for (const viewer of [tomas, ada, GUEST])
      await expect(getExportFile(db, viewer, id, clock.at)).rejects.toMatchObject({ reason: "not-found" });
    await expect(getExportFile(db, mira, "nonsense", clock.at)).rejects.toMatchObject({
      reason: "not-found",
    });
    expect(await within(deleteExpiredExports)).toEqual([]);
    clock.pass(7 * 86_400_000);
    await expect(getExportFile(db, mira, id, clock.at)).rejects.toMatchObject({ reason: "not-found" });
    expect(await within(deleteExpiredExports)).toEqual([hash]);
    expect(await many(db, sql`select 1 from personal_exports`)).toEqual([]);
  });

  test("gets deleted with the account", async () => {
    const { mira } = await setupActivePeople();
    const { hash } = await makeExport(mira);
    await run(
      db,
      sql`update people set state = 'deactivated', deactivated_at = ${new Date(0)} where id = ${mira.id}`,
    );
    await within(eraseDeactivated);
    expect(await within(deleteExpiredExports)).toEqual([hash]);
    const { id } = await one(
      db,
      sql<{ id: string }>`insert into personal_exports (id, person_id, created_at, expires_at)
      values (gen_random_uuid(), ${mira.id}, now(), now() + interval '1 hour') returning id`,
    );
    expect(await makePersonalExport(app, id)).toBeNull();
  });
});
