import { describe, expect, test } from "vitest";
import { createTestUsers } from "../../../test/support/test-users.ts";
import { defaultSettings } from "#community/settings";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import { createGroup, getGroup, NewGroup } from "./index.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;

describe("group creation", () => {
  const wish = NewGroup.parse({ name: "Überwintern & Säen!", visibility: "public", joinPolicy: "open" });

  test("requires an established member", async () => {
    const people = await createTestUsers(database);
    await expect(
      within((tx) => createGroup(tx, { ...people.noor, trust: "new" }, wish, defaultSettings)),
    ).rejects.toMatchObject({
      reason: "not-allowed",
    });
    await expect(within((tx) => createGroup(tx, people.guest, wish, defaultSettings))).rejects.toMatchObject({
      reason: "not-signed-in",
    });
    const first = await within((tx) => createGroup(tx, people.noor, wish, defaultSettings));
    expect(first.slug).toBe("uberwintern-saen");
    const second = await within((tx) => createGroup(tx, people.noor, wish, defaultSettings));
    expect(second.slug).toMatch(/^uberwintern-saen-/);
  });

  test.each(["secret", "pending"])(
    "uses the plain slug of the name, although a %s group has the same name",
    async (hidden) => {
      const { tomas, mira, noor } = await createTestUsers(database);
      const newcomer = { ...noor, trust: "new" as const };
      const newGroup = (visibility: string) =>
        NewGroup.parse({
          name: "Night walks",
          visibility,
          joinPolicy: visibility === "secret" ? "invite" : "open",
        });
      const site = {
        ...defaultSettings,
        whoCreatesGroups: "members" as const,
        newcomersGroups: "approval" as const,
      };
      const secret = await within((tx) =>
        createGroup(
          tx,
          hidden === "secret" ? tomas : newcomer,
          newGroup(hidden === "secret" ? "secret" : "public"),
          site,
        ),
      );
      expect(secret.slug).toBe(`night-walks-${secret.id.slice(-6)}`);
      expect((await within((tx) => createGroup(tx, mira, newGroup("public"), defaultSettings))).slug).toBe(
        "night-walks",
      );
      const other = await within((tx) => createGroup(tx, tomas, newGroup("secret"), defaultSettings));
      expect(other.slug).toBe(`night-walks-${other.id.slice(-6)}`);
    },
  );

  test("follows the site setting for who may create groups", async () => {
    const { noor, ines } = await createTestUsers(database);
    const newcomer = { ...noor, trust: "new" as const };
    const found = (who: typeof noor, whoCreatesGroups: "established" | "members" | "staff") =>
      within((tx) => createGroup(tx, who, wish, { ...defaultSettings, whoCreatesGroups }));
    await found(newcomer, "members");
    await expect(found({ ...noor, limited: true }, "members")).rejects.toMatchObject({
      reason: "not-allowed",
    });
    await expect(found(noor, "staff")).rejects.toMatchObject({
      reason: "not-allowed",
      message: /Only staff can create groups/,
    });
    await found(ines, "staff");
  });

  test.each(["new", "园艺", "!!", "a"])("forms a slug for a name like %s", async (name) => {
    const people = await createTestUsers(database);
    const { slug } = await within((tx) =>
      createGroup(tx, people.tomas, { ...wish, name: name.padEnd(2, "b") }, defaultSettings),
    );
    expect((await getGroup(db, people.tomas, slug)).slug).toBe(slug);
  });

  test("refuses a secret group with join requests, with an explanation", () => {
    const parsed = NewGroup.safeParse({ name: "Quiet", visibility: "secret", joinPolicy: "request" });
    expect(parsed.error?.issues[0]?.message).toMatch(/Invite only/);
  });
});
