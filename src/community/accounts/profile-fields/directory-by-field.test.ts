import { describe, expect, test } from "vitest";
import { run, sql } from "#platform/database";
import { uuidv7 } from "#platform/ids";
import { GUEST, type SignedIn } from "#community/rules";
import { ADMIN } from "../../../../test/support/accounts/accounts-context.ts";
import { listDirectory, listSearchableFields, retireProfileField, updateProfile } from "../index.ts";
import {
  createAnaAndViewers,
  db,
  createTestField,
  answerTestField,
  within,
} from "../../../../test/support/accounts/profile-fields-setup.ts";

describe("directory by profile field", () => {
  const names = async (viewer: SignedIn, query: Parameters<typeof listDirectory>[2]) =>
    (await listDirectory(db, viewer, query)).people.map((it) => it.username);

  test("finds people by answers the viewer may see, never by hidden answers", async () => {
    const { ana, friend, stranger, blocker, moderator } = await createAnaAndViewers();
    const [trade, crafts] = [
      await createTestField({ label: "Trade" }),
      await createTestField({ label: "Crafts", kind: "choices", choices: ["Bread", "Wool"] }),
    ];
    await answerTestField(ana, trade, "Master baker", "friends");
    await answerTestField(ana, crafts, ["Bread", "Wool"], "nobody");
    await answerTestField(stranger, crafts, "Wool", "members");
    const trades = { answers: { [trade]: "BAKER" } };
    expect(await names(friend, trades)).toEqual(["ana"]);
    expect(await names(moderator, trades)).toEqual(["ana"]);
    expect(await names(stranger, trades)).toEqual([]);
    expect(await names(blocker, trades)).toEqual([]);
    expect(await names(ana, { answers: { [crafts]: "Wool" } })).toEqual(["ana", "stranger"]);
    for (const viewer of [friend, moderator, ADMIN])
      expect(await names(viewer, { answers: { [crafts]: "Wool" } })).toEqual(["stranger"]);
    expect(await names(friend, { answers: { [crafts]: "Wo" } })).toEqual([]);
    expect(await names(friend, { answers: { [crafts]: "Wool", [trade]: "baker" } })).toEqual([]);
    expect(await names(friend, { answers: { [trade]: "%" } })).toEqual([]);
    expect(await names(friend, { answers: { nonsense: "x" } })).toContain("ana");
    await within((tx) => retireProfileField(tx, ADMIN, trade));
    expect(await names(friend, trades)).toEqual([]);
    expect((await listSearchableFields(db, friend)).map((it) => it.label)).toEqual(["Crafts"]);
    expect(await listSearchableFields(db, GUEST)).toEqual([]);
  });

  test("finds people by visible location and by the viewer's own groups", async () => {
    const { ana, friend, stranger } = await createAnaAndViewers();
    await within((tx) => updateProfile(tx, ana, ana.id, { location: "Graz", locationFor: "friends" }));
    expect(await names(friend, { location: "gra" })).toEqual(["ana"]);
    expect(await names(stranger, { location: "gra" })).toEqual([]);
    const groupId = uuidv7();
    await run(
      db,
      sql`insert into groups (id, slug, name, visibility, join_policy, created_by, created_at, last_active_at)
        values (${groupId}, 'beds', 'Beds', 'secret', 'invite', ${ana.id}, now(), now())`,
    );
    for (const who of [ana, friend])
      await run(
        db,
        sql`insert into memberships (group_id, person_id, state, role, joined_at, changed_at)
          values (${groupId}, ${who.id}, 'member', 'member', now(), now())`,
      );
    expect(await names(friend, { groupId })).toEqual(["ana", "friend"]);
    expect(await names(stranger, { groupId })).toEqual([]);
    expect(await names(friend, { groupId: "nonsense" })).toEqual([]);
  });
});
