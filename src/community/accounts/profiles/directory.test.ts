import { describe, expect, test } from "vitest";
import { run, sql } from "#platform/database";
import { GUEST, type SignedIn } from "#community/rules";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import { createAccountsContext } from "../../../../test/support/accounts/accounts-context.ts";
import { listDirectory, ProfileInput, updatePrivacy, updateProfile } from "../index.ts";

const database = await testDatabase();
const app = createAccountsContext(database);

const update = (of: SignedIn, form: Partial<ProfileInput>) =>
  database.inTransaction((tx) =>
    updateProfile(
      tx,
      of,
      of.id,
      ProfileInput.partial().parse({ name: "Ana", pronouns: "she", location: "Graz", ...form }),
    ),
  );
const block = (a: SignedIn, b: SignedIn) =>
  run(database.db, sql`insert into blocks values (${a.id}, ${b.id}, now())`);

describe("member directory", () => {
  const names = async (viewer: SignedIn, search?: string) =>
    (await listDirectory(database.db, viewer, { search })).people.map((it) => it.username);

  test("lists 50 people per page by name without gaps or repeats", async () => {
    const ana = await app.member({ username: "ana", name: "ana" });
    // Many people of one name: the cursor must distinguish them.
    for (let n = 0; n < 120; n++)
      await app.member({ username: `person${n}`, name: `Person ${n % 3}`, passwordHash: null });
    const seen: string[] = [];
    for (let after: string | null = null, more = true; more; more = after !== null) {
      const page: Awaited<ReturnType<typeof listDirectory>> = await listDirectory(database.db, ana, {
        after,
      });
      expect(page.people.length).toBeLessThanOrEqual(50);
      seen.push(...page.people.map((it) => it.username));
      after = page.next;
    }
    expect(seen).toHaveLength(121);
    expect(new Set(seen).size).toBe(121);
    expect((await listDirectory(database.db, ana, { after: "made-up" })).people[0]).toMatchObject({
      username: "ana",
    });
  });

  test("finds people by prefixes of names, and treats wildcard characters literally", async () => {
    const ana = await app.member({ username: "ana", name: "Ana Berg" });
    await app.member({ username: "ben", name: "100% Ben" });
    expect(await names(ana, "berg")).toEqual(["ana"]);
    expect(await names(ana, "@an")).toEqual(["ana"]);
    expect(await names(ana, "100%")).toEqual(["ben"]);
    expect(await names(ana, "%")).toEqual([]);
  });

  test("leaves out unlisted, inactive and blocked people", async () => {
    const [ana, ben, cleo, dora] = await Promise.all(
      ["ana", "ben", "cleo", "dora"].map((username) => app.member({ username, name: username })),
    );
    await app.member({ username: "eve", state: "suspended" });
    await app.member({ username: "fay", state: "unverified" });
    await database.inTransaction((tx) => updatePrivacy(tx, ben!, ben!.id, { inDirectory: false }));
    await block(cleo!, ana!);
    await block(ana!, dora!);
    expect(await names(ana!)).toEqual(["ana"]);
    expect(await names(ben!)).toEqual(["ana", "cleo", "dora"]);
  });

  test("shows details and biography to those who may read them", async () => {
    const ana = await app.member({ username: "ana", name: "Ana" });
    const ben = await app.member({ username: "ben", name: "Ben" });
    await update(ana, { bio: "I *grow* beans." });
    const entry = async (viewer: SignedIn) =>
      (await listDirectory(database.db, viewer, {})).people.find((it) => it.id === ana.id);
    expect(await entry(ben)).toMatchObject({ pronouns: "she", location: "Graz", excerpt: "I grow beans." });
    await update(ana, {
      pronounsFor: "nobody",
      locationFor: "friends",
      bioFor: "friends",
      bio: "I *grow* beans.",
    });
    expect(await entry(ben)).toMatchObject({ pronouns: "", location: "", excerpt: "" });
    expect(await entry(ana)).toMatchObject({ pronouns: "she", location: "Graz", excerpt: "I grow beans." });
    await update(ana, { pronounsFor: "everyone", locationFor: "everyone", bioFor: "everyone" });
    await database.inTransaction((tx) => updatePrivacy(tx, ana, ana.id, { profile: "friends" }));
    expect(await entry(ben)).toMatchObject({ pronouns: "", location: "", excerpt: "" });
  });

  test("requires signing in", async () => {
    await expect(listDirectory(database.db, GUEST, {})).rejects.toMatchObject({ reason: "not-signed-in" });
  });
});
