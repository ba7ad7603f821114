import { expect, test } from "vitest";
import { run, sql } from "#platform/database";
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

test("two hundred drafts are kept, and those that are there go on being kept", async () => {
  const { mira, tomas } = await cast(database);
  await run(
    db,
    sql`insert into drafts (person_id, place, version, data, saved_at)
        select ${mira.id}, 'discussion:' || gen_random_uuid(), 1, '{"title":"","body":"Mulch."}', now() from generate_series(1, 199)`,
  );
  const keep = (who: typeof mira, place: string, version: number) =>
    within((tx) => saveDraft(tx, who, { place, version, title: "", body: "Beans." }));
  expect(await keep(mira, "new:group", 0)).toMatchObject({ kept: true });
  await expect(keep(mira, "new:announcement", 0)).rejects.toMatchObject({ reason: "too-many" });
  expect(await keep(mira, "new:group", 1)).toMatchObject({ kept: true, draft: { version: 2 } });
  expect(await keep(mira, "new:group", 1)).toMatchObject({ kept: false, draft: { version: 2 } });
  expect(await keep(tomas, "new:announcement", 0)).toMatchObject({ kept: true });
});
