import { describe, expect, test } from "vitest";
import { MINUTE } from "#platform/clock";
import type { SignedIn } from "#community/rules";
import {
  createTestDiscussion,
  createTestGroup,
  createTestReply,
  createTestUsers,
} from "../../../../test/support/test-users.ts";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import { MAX_DRAFT_TEXT } from "../discussion-inputs.ts";
import { getDraft, listDrafts, discardDraft, mergeDiscussion, draftTargets, saveDraft } from "../index.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;

const keep = (viewer: SignedIn, at: string, version: number, body: string) =>
  within((tx) => saveDraft(tx, viewer, { place: at, version, title: "", body }));

describe("second tab with a draft that no longer exists", () => {
  async function setting() {
    const people = await createTestUsers(database);
    const group = await createTestGroup(database, people);
    const { id } = await createTestDiscussion(database, people.tomas, group.id);
    const here = draftTargets.discussion(id);
    const old = (await keep(people.mira, here, 0, "The first answer.")).draft.version;
    return { ...people, id, here, old };
  }

  test("does not overwrite a newer draft begun after the old draft was sent", async () => {
    const { mira, id, here, old } = await setting();
    await createTestReply(database, mira, id, { body: "The first answer.", draftVersion: old });
    await keep(mira, here, 0, "The second answer.");
    expect(await keep(mira, here, old, "The first answer, still.")).toMatchObject({
      kept: false,
      draft: { body: "The second answer." },
    });
    expect(await keep(mira, here, old, "")).toMatchObject({ kept: false });
    database.clock.pass(MINUTE);
    await createTestReply(database, mira, id, { body: "The first answer again.", draftVersion: old });
    expect((await getDraft(db, mira, here))?.body).toBe("The second answer.");
  });

  test("does not overwrite a newer draft begun after the old draft was discarded", async () => {
    const { mira, here, old } = await setting();
    await within((tx) => discardDraft(tx, mira, here));
    const anew = await keep(mira, here, 0, "Something else.");
    expect(anew.draft.version).toBeGreaterThan(old);
    expect(await keep(mira, here, old, "The first answer, still.")).toMatchObject({
      kept: false,
      draft: { body: "Something else." },
    });
  });
});

describe("reply draft in a merged discussion", () => {
  async function setting() {
    const people = await createTestUsers(database);
    const group = await createTestGroup(database, people);
    const from = (await createTestDiscussion(database, people.mira, group.id)).id;
    database.clock.pass(MINUTE);
    const into = (await createTestDiscussion(database, people.mira, group.id, { title: "Beans again" })).id;
    const merge = () =>
      within((tx) =>
        mergeDiscussion(tx, people.tomas, {
          discussionId: from,
          into,
          visibility: "public",
          reason: "It belongs there.",
        }),
      );
    return {
      ...people,
      from: draftTargets.discussion(from),
      into: draftTargets.discussion(into),
      intoId: into,
      merge,
    };
  }

  test("moves to the target discussion and is joined with a draft that exists there", async () => {
    const { mira, tomas, noor, from, into, intoId, merge } = await setting();
    await keep(mira, from, 0, "Sow in May.");
    await keep(tomas, from, 0, "Sow in June.");
    const { version } = (await keep(tomas, into, 0, "Water them.")).draft;
    await keep(noor, from, 0, "The same.");
    await keep(noor, into, 0, " The same.\n");
    await merge();
    expect((await getDraft(db, mira, into))?.body).toBe("Sow in May.");
    expect((await getDraft(db, tomas, into))?.body).toBe("Water them.\n\nSow in June.");
    expect((await getDraft(db, noor, into))?.body.trim()).toBe("The same.");
    for (const viewer of [mira, tomas, noor])
      expect((await listDrafts(db, viewer)).rows).toMatchObject([
        { place: into, discussion: { id: intoId } },
      ]);
    // The tab that has only one of the two drafts learns of the other.
    expect(await keep(tomas, into, version, "Water them well.")).toMatchObject({ kept: false });
  });

  test("moves to the target discussion even if an open tab saves it after the merge", async () => {
    const { mira, from, into, merge } = await setting();
    const { version } = (await keep(mira, from, 0, "Sow in")).draft;
    await merge();
    const later = await keep(mira, from, version, "Sow in May.");
    expect(later.kept).toBe(true);
    expect((await getDraft(db, mira, into))?.body).toBe("Sow in May.");
    expect((await getDraft(db, mira, from))?.body).toBe("Sow in May.");
    await keep(mira, from, later.draft.version, "");
    expect((await listDrafts(db, mira)).rows).toEqual([]);
  });

  test("stays separate if the joined draft would exceed the size limit, and links to the target", async () => {
    const { mira, from, into, intoId, merge } = await setting();
    await keep(mira, into, 0, "x".repeat(MAX_DRAFT_TEXT - 5));
    database.clock.pass(MINUTE);
    await keep(mira, from, 0, "Sow in May.");
    await merge();
    expect((await listDrafts(db, mira)).rows).toMatchObject([
      { place: from, body: "Sow in May.", discussion: { id: intoId } },
      { place: into, discussion: { id: intoId } },
    ]);
    await within((tx) => discardDraft(tx, mira, from));
    expect((await listDrafts(db, mira)).rows).toMatchObject([{ place: into }]);
  });
});
