import { expect, test } from "vitest";
import { cast } from "../../../test/cast.ts";
import { testDatabase } from "../../../test/setup/database.ts";
import { DraftInput, draftFor, draftsOf, saveDraft } from "./index.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;

test("what only looks like the id of a place is none", async () => {
  const { mira } = await cast(database);
  for (const place of [`group:${"-".repeat(36)}`, `discussion:${"a".repeat(36)}`])
    expect(DraftInput.safeParse({ place, body: "Mulch." }).success, place).toBe(false);
  // One that was kept before that was minded.
  await within((tx) => saveDraft(tx, mira, { place: `group:${"-".repeat(36)}`, version: 0, title: "", body: "Mulch." }));
  expect(await draftsOf(db, mira)).toMatchObject([{ body: "Mulch.", group: null, discussion: null, resource: null }]);
});

test("half a character, as a cut leaves it, is kept as a sign for one", async () => {
  const { mira } = await cast(database);
  const cut = DraftInput.parse({ place: "new:group", title: "Seeds \ud83c", body: "Beans \ud83c" });
  await within((tx) => saveDraft(tx, mira, cut));
  expect(await draftFor(db, mira, "new:group")).toMatchObject({ title: "Seeds \ufffd", body: "Beans \ufffd" });
});
