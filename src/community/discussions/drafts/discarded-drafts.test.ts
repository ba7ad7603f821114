import { expect, test } from "vitest";
import { HOUR } from "#platform/clock";
import { many, sql } from "#platform/database";
import type { SignedIn } from "#community/rules";
import {
  createTestDiscussion,
  createTestGroup,
  createTestUsers,
} from "../../../../test/support/test-users.ts";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import {
  restoreDraft,
  DraftInput,
  getDraft,
  listDrafts,
  discardDraft,
  listDiscardedDrafts,
  purgeDiscardedDrafts,
  draftTargets,
  saveDraft,
} from "../index.ts";

const database = await testDatabase();
const { db, inTransaction: within, clock } = database;

const save = (viewer: SignedIn, at: string, body: string, more: object = {}) =>
  within((tx) => saveDraft(tx, viewer, DraftInput.parse({ place: at, title: "Beans", body, ...more })));
const drop = (viewer: SignedIn, at: string) => within((tx) => discardDraft(tx, viewer, at));
const back = (viewer: SignedIn, at: string) => within((tx) => restoreDraft(tx, viewer, at));
const dropped = (viewer: SignedIn) => listDiscardedDrafts(db, viewer, clock.at);

test("a discarded draft is listed separately and can be restored by its author for an hour", async () => {
  const { mira, tomas, guest, ...people } = await createTestUsers(database);
  const group = await createTestGroup(database, { ...people, mira, tomas }, {});
  const at = draftTargets.discussion((await createTestDiscussion(database, mira, group.id)).id);
  await save(mira, at, "Half a thought.", { more: { tags: "beans" } });
  const draft = await getDraft(db, mira, at);
  await drop(mira, at);
  expect([await getDraft(db, mira, at), (await listDrafts(db, mira)).rows]).toEqual([null, []]);
  expect(await dropped(mira)).toMatchObject([
    {
      place: at,
      title: "Beans",
      body: "Half a thought.",
      savedAt: clock.at,
      discussion: { title: "When to sow beans" },
    },
  ]);
  expect([await dropped(tomas), await listDiscardedDrafts(db, guest, clock.at)]).toEqual([[], []]);
  await expect(back(tomas, at)).rejects.toMatchObject({ reason: "not-found" });
  await expect(within((tx) => restoreDraft(tx, guest, at))).rejects.toMatchObject({
    reason: "not-signed-in",
  });
  clock.pass(HOUR - 1);
  await back(mira, at);
  const { title, body, more } = draft!;
  expect(await getDraft(db, mira, at)).toMatchObject({ title, body, more });
  expect(await dropped(mira)).toEqual([]);
  await expect(back(mira, at)).rejects.toMatchObject({ reason: "not-found" });
});

test("a discarded draft is purged after an hour", async () => {
  const { mira } = await createTestUsers(database);
  await save(mira, "new:group", "Half a thought.");
  await drop(mira, "new:group");
  clock.pass(HOUR - 1);
  expect(await within(purgeDiscardedDrafts)).toBe(0);
  clock.pass(1);
  expect(await dropped(mira)).toEqual([]);
  await expect(back(mira, "new:group")).rejects.toMatchObject({ reason: "not-found" });
  expect(await within(purgeDiscardedDrafts)).toBe(1);
});

test("a restored draft is appended to newer text unless the result exceeds the size limit", async () => {
  const { mira } = await createTestUsers(database);
  await save(mira, "new:group", "The first.");
  await drop(mira, "new:group");
  await save(mira, "new:group", "The second.");
  await back(mira, "new:group");
  expect((await getDraft(db, mira, "new:group"))?.body).toBe("The second.\n\nThe first.");
  const long = "b".repeat(300_000);
  await save(mira, "new:resource", long);
  await drop(mira, "new:resource");
  await save(mira, "new:resource", long.replaceAll("b", "c"));
  await expect(back(mira, "new:resource")).rejects.toMatchObject({ reason: "conflict" });
  expect((await dropped(mira)).map((it) => it.place)).toEqual(["new:resource"]);
});

test("the last twenty discarded drafts are listed, and restoring respects the limit on drafts", async () => {
  const { mira } = await createTestUsers(database);
  const at = (n: number) => `conversation:00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
  for (let n = 0; n < 21; n++) {
    await save(mira, at(n), `Number ${n}`);
    clock.pass(1);
    await drop(mira, at(n));
  }
  expect((await dropped(mira)).map(({ body }) => body)).toEqual(
    Array.from({ length: 20 }, (_, n) => `Number ${20 - n}`),
  );
  await many(
    db,
    sql`insert into drafts (person_id, place, data, saved_at) select ${mira.id}, 'new:' || n, '{"body":"b"}',
      now() from generate_series(1, 200) n`,
  );
  await expect(back(mira, at(20))).rejects.toMatchObject({ reason: "too-many" });
  expect(await dropped(mira)).toHaveLength(20);
});
