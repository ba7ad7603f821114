import { describe, expect, test } from "vitest";
import { many, sql } from "#platform/database";
import { getPerson, updatePrivacy, updateProfile } from "#community/accounts";
import { isSignedIn } from "#community/rules";
import { createTestUsers } from "../../../test/support/test-users.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import { getFriendState, readWithPreviewRole } from "./index.ts";

const database = await testDatabase();

describe("profile preview as another role", () => {
  test("shows the profile as a guest, member or friend would see it, and stores no account", async () => {
    const { mira } = await createTestUsers(database);
    await database.inTransaction(async (tx) => {
      await updatePrivacy(tx, mira, mira.id, { profile: "everyone" });
      await updateProfile(tx, mira, mira.id, {
        location: "Graz",
        locationFor: "friends",
        pronouns: "she",
        pronounsFor: "members",
        bio: "x",
      });
    });
    const seen = (as: Parameters<typeof readWithPreviewRole>[2]) =>
      readWithPreviewRole(database, mira, as, async (db, viewer) => {
        const { about, isSelf, isFriend } = await getPerson(db, viewer, mira.id);
        const tie = isSignedIn(viewer) ? (await getFriendState(db, viewer, mira.id)).state : null;
        return [isSelf, isFriend, tie, about?.bioMd, about?.pronouns, about?.location];
      });
    expect(await seen("guest")).toEqual([false, false, null, "x", "", ""]);
    expect(await seen("member")).toEqual([false, false, "none", "x", "she", ""]);
    expect(await seen("friend")).toEqual([false, true, "friends", "x", "she", "Graz"]);
    expect(await many(database.db, sql`select 1 from people where username like 'as-%'`)).toEqual([]);
    expect(await many(database.db, sql`select 1 from friendships`)).toEqual([]);
  });

  test("returns the error that the role would get", async () => {
    const { mira } = await createTestUsers(database);
    const refused = readWithPreviewRole(database, mira, "friend", (db, viewer) =>
      getPerson(db, viewer, "nobody.here"),
    );
    await expect(refused).rejects.toMatchObject({ reason: "not-found" });
  });
});
