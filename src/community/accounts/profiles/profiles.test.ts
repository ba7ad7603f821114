import { describe, expect, test } from "vitest";
import { run, sql } from "#platform/database";
import { GUEST, type SignedIn } from "#community/rules";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import { ADMIN, createAccountsContext } from "../../../../test/support/accounts/accounts-context.ts";
import {
  getAccount,
  listDirectory,
  DisplaySettingsInput,
  eraseDeactivated,
  getPerson,
  PrivacySettingsInput,
  ProfileInput,
  updateDisplay,
  updatePrivacy,
  updateProfile,
  signIn,
} from "../index.ts";

const database = await testDatabase();
const app = createAccountsContext(database);

const profile = (more: Partial<ProfileInput> = {}) =>
  ProfileInput.partial().parse({
    name: "Ana",
    pronouns: "she",
    location: "Graz",
    bio: "I grow **beans**.\n\n<script>x</script>",
    ...more,
  });
const update = (by: SignedIn, of: SignedIn, form = profile()) =>
  database.inTransaction((tx) => updateProfile(tx, by, of.id, form));
const befriend = (a: SignedIn, b: SignedIn) => {
  const [low, high] = [a.id, b.id].sort();
  return run(
    database.db,
    sql`insert into friendships values (${low}, ${high}, 'friends', ${a.id}, '', now(), now())`,
  );
};
const block = (a: SignedIn, b: SignedIn) =>
  run(database.db, sql`insert into blocks values (${a.id}, ${b.id}, now())`);

describe("profile", () => {
  test("can be read by members, and by guests only with the owner's consent", async () => {
    const [ana, ben] = [await app.member({ username: "ana" }), await app.member({ username: "ben" })];
    await update(ana, ana);
    for (const key of [ana.id, ana.id.toUpperCase(), "ana", "ANA"])
      expect(await getPerson(database.db, ben, key)).toMatchObject({
        name: "Ana",
        movedTo: null,
        isSelf: false,
        about: { pronouns: "she", location: "Graz" },
      });
    expect(await getPerson(database.db, GUEST, "ana")).toMatchObject({
      name: "Ana",
      about: null,
      indexed: false,
    });

    await database.inTransaction((tx) =>
      updatePrivacy(
        tx,
        ana,
        ana.id,
        PrivacySettingsInput.partial().parse({ profile: "everyone", inSearchEngines: true }),
      ),
    );
    expect(await getPerson(database.db, GUEST, "ana")).toMatchObject({
      about: { location: "Graz" },
      indexed: true,
    });
  });

  test("shows guests only what both the site and the owner allow", async () => {
    const [ana, ben] = [await app.member({ username: "ana" }), await app.member({ username: "ben" })];
    await update(ana, ana);
    await database.inTransaction((tx) =>
      updatePrivacy(tx, ana, ana.id, { profile: "everyone", inSearchEngines: true }),
    );
    await app.set({ guestsSeePeople: "limited" });
    expect(await getPerson(database.db, GUEST, "ana")).toMatchObject({
      name: "Ana",
      about: null,
      indexed: false,
    });
    await app.set({ guestsSeePeople: "hidden" });
    const hidden = await getPerson(database.db, GUEST, "ana").catch((it: Error) => it);
    expect(hidden).toMatchObject({ reason: "not-signed-in" });
    expect(await getPerson(database.db, GUEST, "nobody.here").catch((it: Error) => it)).toEqual(hidden);
    expect(await getPerson(database.db, ben, "ana")).toMatchObject({
      about: { location: "Graz" },
      indexed: false,
    });
    await app.set({ guestsSeePeople: "public" });
    expect(await getPerson(database.db, GUEST, "ana")).toMatchObject({
      about: { location: "Graz" },
      indexed: true,
    });
    expect(await getPerson(database.db, GUEST, "ben")).toMatchObject({ about: null, indexed: false });
  });

  test("shows after erasure only that the person is a former member", async () => {
    const ana = await app.member({ username: "ana" });
    await update(ana, ana);
    await run(
      database.db,
      sql`update people set state = 'deactivated', deactivated_at = ${new Date(0)} where id = ${ana.id}`,
    );
    await expect(getPerson(database.db, GUEST, ana.id)).rejects.toMatchObject({ reason: "not-found" });
    await database.inTransaction(eraseDeactivated);
    expect(await getPerson(database.db, GUEST, ana.id)).toMatchObject({
      name: "Former member",
      state: "erased",
      about: null,
      indexed: false,
    });
    await expect(getPerson(database.db, GUEST, "ana")).rejects.toMatchObject({ reason: "not-found" });
  });

  test("renders Markdown as safe HTML", async () => {
    const ana = await app.member({ username: "ana" });
    await update(ana, ana);
    const { about } = await getPerson(database.db, ana, "ana");
    expect(about?.bioHtml).toContain("<strong>beans</strong>");
    expect(about?.bioHtml).not.toContain("<script>");
  });

  test("shows each field to its audience only", async () => {
    const [ana, ben, cleo] = [
      await app.member({ username: "ana" }),
      await app.member({ username: "ben" }),
      await app.member({ username: "cleo" }),
    ];
    await befriend(ana, ben);
    const fields: ProfileInput["fields"] = [
      { label: "Site", value: "https://ana.example", audience: "everyone" },
      { label: "Phone", value: "123", audience: "friends" },
      { label: "Work", value: "Gardener", audience: "members" },
    ];
    await update(ana, ana, profile({ fields }));
    await database.inTransaction((tx) => updatePrivacy(tx, ana, ana.id, { profile: "everyone" }));
    const labels = async (viewer: Parameters<typeof getPerson>[1]) =>
      (await getPerson(database.db, viewer, "ana")).about?.fields.map((it) => it.label);
    expect(await labels(ben)).toEqual(["Site", "Phone", "Work"]);
    expect(await labels(cleo)).toEqual(["Site", "Work"]);
    expect(await labels(GUEST)).toEqual(["Site"]);
  });

  test("appears as a stub to a person who blocked its owner, and not at all to people its owner blocked", async () => {
    const [ana, ben] = [await app.member({ username: "ana" }), await app.member({ username: "ben" })];
    await block(ana, ben);
    const hidden = await getPerson(database.db, ben, "ana").catch((it: Error) => it.message);
    const absent = await getPerson(database.db, ben, "nobody.here").catch((it: Error) => it.message);
    expect(hidden).toBe(absent);
    expect(await getPerson(database.db, ana, "ben")).toMatchObject({ viewerBlocks: true, about: null });
  });

  test("can be changed by its owner and admins only", async () => {
    const [ana, ben] = [
      await app.member({ username: "ana" }),
      await app.member({ username: "ben", role: "moderator" }),
    ];
    await expect(update(ben, ana)).rejects.toMatchObject({ reason: "not-found" });
    await update(ADMIN, ana, profile({ name: "Ana Two" }));
    expect(await getPerson(database.db, ben, "ana")).toMatchObject({ name: "Ana Two" });
    expect(await app.events("person.changed")).toEqual([{ type: "person.changed", personId: ana.id }]);
  });

  test("can have a visible name of up to 50 characters", () => {
    for (const name of ["", "  ", "a".repeat(51), "Ana\u202Egnp.exe", "\u200B", "\u3164", "\u200D"])
      expect(ProfileInput.shape.name.safeParse(name).success).toBe(false);
    expect(ProfileInput.shape.name.parse("  Ana \n  Banana ")).toBe("Ana Banana");
    expect(ProfileInput.shape.name.parse("👩\u200D🌾 عائشة")).toBe("👩\u200D🌾 عائشة");
  });

  test("can have only an existing time zone and a two-letter language", async () => {
    const ana = await app.member({ username: "ana" });
    expect(
      DisplaySettingsInput.safeParse({ theme: "dark", locale: "de", timeZone: "Mars/Olympus" }).success,
    ).toBe(false);
    await database.inTransaction((tx) =>
      updateDisplay(
        tx,
        ana,
        ana.id,
        DisplaySettingsInput.parse({ theme: "dark", locale: "de", timeZone: "Europe/Vienna" }),
      ),
    );
    expect(await getAccount(database.db, ana, ana.id)).toMatchObject({
      theme: "dark",
      locale: "de",
      timeZone: "Europe/Vienna",
    });
  });
});

describe("account details", () => {
  test("can be read by the owner and admins only", async () => {
    const [ana, ben] = [
      await app.member({ username: "ana" }),
      await app.member({ username: "ben", role: "moderator" }),
    ];
    expect(await getAccount(database.db, ana, ana.id)).toMatchObject({
      email: "ana@example.org",
      secondStep: false,
      passkeyStep: false,
      hasPassword: true,
      providers: [],
      privacy: { profile: "members" },
    });
    expect(await getAccount(database.db, ADMIN, ana.id)).toMatchObject({ username: "ana" });
    await expect(getAccount(database.db, ben, ana.id)).rejects.toMatchObject({ reason: "not-found" });
    await expect(getAccount(database.db, GUEST, ana.id)).rejects.toMatchObject({ reason: "not-found" });
    await expect(getAccount(database.db, ana, "nonsense")).rejects.toMatchObject({ reason: "not-found" });
  });
});

test("characters that PostgreSQL cannot store are removed", async () => {
  const ana = await app.member({ username: "ana" });
  const fields = [{ label: "a\0b\uD800", value: "c\0", audience: "everyone" as const }];
  await update(ana, ana, profile({ name: "Ana", bio: "x\0\uDC00", location: "\0Graz", fields }));
  expect(await getPerson(database.db, ana, "a\0na")).toMatchObject({
    about: { location: "Graz", fields: [{ label: "ab\uFFFD" }] },
  });
  expect(
    (
      await listDirectory(database.db, ana, {
        search: "\0",
        after: Buffer.from('["\\u0000",1]').toString("base64url"),
      })
    ).people,
  ).toHaveLength(1);
  await expect(
    signIn(
      app,
      { login: "ana\0@\uD800", password: "\0" },
      { address: "::1", userAgent: "\0", acceptLanguage: "\0" },
      "web",
    ),
  ).rejects.toMatchObject({ reason: "invalid" });
});
