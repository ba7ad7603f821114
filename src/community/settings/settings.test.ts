import { describe, expect, test } from "vitest";
import { many, one, run, sql } from "#platform/database";
import { GUEST, type SignedIn } from "#community/rules";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import { defaultSettings, openSettings, listSettingChanges, type SiteSettings } from "./index.ts";

const database = await testDatabase();
const admin: SignedIn = {
  id: "01900000-0000-7000-8000-00000000ad01",
  role: "admin",
  trust: "established",
  limited: false,
};
const change = (
  settings: ReturnType<typeof openSettings>,
  changes: Partial<SiteSettings>,
  by: SignedIn | typeof GUEST = admin,
) => database.inTransaction((tx) => settings.set(tx, by, changes));

describe("site settings", () => {
  test("have their default values until they are changed", async () => {
    const settings = openSettings(database);
    expect(await settings.get()).toEqual(defaultSettings);
    await change(settings, { name: " Garden ", registration: "approval" });
    expect(await settings.get()).toEqual({ ...defaultSettings, name: "Garden", registration: "approval" });
  });

  test("can have the defaults of the hosted API service", async () => {
    const settings = openSettings(database, { apiDefaults: "hosted" });
    const open = {
      confirmAddress: false,
      passwordRules: false,
      signInBackoff: false,
      apiCalls: 0,
      filesWrittenBy: "everybody",
    };
    expect(await settings.get()).toMatchObject({ apiDefaults: "hosted", ...open });
    expect(await settings.defaults()).toEqual(await settings.get());
    await change(settings, { passwordRules: true, apiCalls: 40 });
    expect(await settings.get()).toMatchObject({ ...open, passwordRules: true, apiCalls: 40 });
    await change(settings, { apiDefaults: "careful" });
    expect(await settings.get()).toEqual({ ...defaultSettings, apiCalls: 40 });
    expect(await settings.defaults()).toEqual({ ...defaultSettings, apiDefaults: "hosted" });
    expect(await openSettings(database).get()).toMatchObject({ apiDefaults: "careful", apiCalls: 40 });
  });

  test("stay cached per process until another process changes them", async () => {
    const [here, there] = [openSettings(database), openSettings(database)];
    await here.get();
    await change(there, { name: "Garden" });
    expect((await here.get()).name).toBe("Kith");
    expect(await one(database.db, sql`select payload from outbox`)).toEqual({
      payload: { type: "settings.changed", keys: "name", by: admin.id },
    });
    expect((await here.getNow()).name).toBe("Garden");
    await change(there, { name: "Orchard" });
    here.forget();
    expect((await here.get()).name).toBe("Orchard");
  });

  test("can be changed by admins only, and each change is logged", async () => {
    const settings = openSettings(database);
    for (const viewer of [GUEST, { ...admin, role: "moderator" as const }])
      await expect(change(settings, { name: "Mine" }, viewer)).rejects.toMatchObject({
        reason: "not-allowed",
      });
    await change(settings, { name: "Garden" });
    expect(await many(database.db, sql`select act, actor_id, details from audit_events`)).toEqual([
      { act: "settings.changed", actor_id: admin.id, details: { name: "Garden", "before.name": "Kith" } },
    ]);
  });

  test("show who changed what and when, to admins only", async () => {
    const settings = openSettings(database);
    const at = database.clock.at;
    await run(
      database.db,
      sql`insert into people (id, username, display_name, state, created_at)
        values (${admin.id}, 'ada', 'Ada', 'active', ${at})`,
    );
    await change(settings, { name: "Garden" });
    await run(
      database.db,
      sql`insert into settings values ('gone', '1', now(), null), ('sentence', '"Green."', ${at}, null)`,
    );
    expect(await listSettingChanges(database.db, admin)).toEqual([
      { key: "name", at, by: expect.objectContaining({ name: "Ada" }) },
      { key: "sentence", at, by: null },
    ]);
    for (const viewer of [
      GUEST,
      { ...admin, role: "moderator" as const },
      { ...admin, role: "member" as const },
    ])
      await expect(listSettingChanges(database.db, viewer)).rejects.toMatchObject({ reason: "not-found" });
  });

  test("refuse invalid values with an error per field", async () => {
    const settings = openSettings(database);
    await expect(change(settings, { name: "", accountsPerAddress: -1 })).rejects.toMatchObject({
      reason: "invalid",
      fields: { name: expect.any(String), accountsPerAddress: expect.any(String) },
    });
    await expect(change(settings, { unheardOf: 1 } as object)).rejects.toMatchObject({ reason: "invalid" });
    await expect(change(settings, { rulesVersion: 9 })).rejects.toMatchObject({ reason: "invalid" });
  });

  test("get a new rules version only when the rules differ", async () => {
    const settings = openSettings(database);
    await change(settings, { rules: "Be kind." });
    await change(settings, { rules: "Be kind." });
    await change(settings, { rules: "Be kinder." });
    expect(await settings.get()).toMatchObject({ rules: "Be kinder.", rulesVersion: 3 });
  });

  test("ignore a stored value that is no longer valid", async () => {
    await run(
      database.db,
      sql`insert into settings values ('registration', '"sometimes"', now(), null),
        ('name', '"Garden"', now(), null), ('gone', '1', now(), null)`,
    );
    expect(await openSettings(database).get()).toMatchObject({ name: "Garden", registration: "open" });
  });
});
