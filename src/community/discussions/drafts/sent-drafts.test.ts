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
import { getDraft, editPost, draftTargets, PostEdit, saveDraft } from "../index.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;

describe("sending", () => {
  async function setting() {
    const people = await createTestUsers(database);
    const group = await createTestGroup(database, people);
    const discussion = await createTestDiscussion(database, people.tomas, group.id);
    return { ...people, group, discussion };
  }
  const keep = (who: SignedIn, at: string, version: number, body: string, title = "") =>
    within((tx) => saveDraft(tx, who, { place: at, version, title, body }));
  const draftText = async (who: SignedIn, at: string) => (await getDraft(db, who, at))?.body ?? null;

  test("a reply deletes the draft with the same text and keeps a newer draft of another device", async () => {
    const { mira, discussion } = await setting();
    const here = draftTargets.discussion(discussion.id);
    const { version } = (await keep(mira, here, 0, "Short, and much longer on the phone.")).draft;
    await createTestReply(database, mira, discussion.id, { body: "Short" });
    expect(await draftText(mira, here)).toBe("Short, and much longer on the phone.");
    await keep(mira, here, version, "  Short, and long\n");
    database.clock.pass(MINUTE);
    await createTestReply(database, mira, discussion.id, { body: "Short, and long" });
    expect(await draftText(mira, here)).toBeNull();
  });

  test("a reply deletes exactly the draft version it was written from", async () => {
    const { mira, tomas, discussion } = await setting();
    const here = draftTargets.discussion(discussion.id);
    await keep(tomas, here, 0, "New");
    const first = (await keep(mira, here, 0, "New")).draft.version;
    const second = (await keep(mira, here, first, "Begun on the phone")).draft.version;
    await createTestReply(database, mira, discussion.id, { body: "Begun here", draftVersion: first });
    expect(await draftText(mira, here)).toBe("Begun on the phone");
    database.clock.pass(MINUTE);
    await createTestReply(database, mira, discussion.id, {
      body: "Begun on the phone, and ended",
      draftVersion: second,
    });
    expect(await draftText(mira, here)).toBeNull();
    expect(await draftText(tomas, here)).toBe("New");
  });

  test("an edit deletes the draft it was made from; a refused edit deletes none", async () => {
    const { mira, discussion } = await setting();
    const { id } = await createTestReply(database, mira, discussion.id, { body: "Sow in May." });
    const here = draftTargets.post(id);
    const { version: drafted } = (await keep(mira, here, 0, "Sow in June.")).draft;
    const change = (body: string, version: number, draftVersion: number) =>
      within((tx) => editPost(tx, mira, PostEdit.parse({ postId: id, body, version, draftVersion })));
    await expect(change("Sow in June.", 7, drafted)).rejects.toMatchObject({ reason: "conflict" });
    expect(await draftText(mira, here)).toBe("Sow in June.");
    await change("Sow in July.", 1, 0);
    expect(await draftText(mira, here)).toBe("Sow in June.");
    await change("Sow in June.", 2, drafted);
    expect(await draftText(mira, here)).toBeNull();
  });

  test("a new discussion deletes the draft with its title and text and keeps other drafts", async () => {
    const { mira, group } = await setting();
    const here = draftTargets.group(group.id);
    const start = async (title: string, draftVersion?: number) => {
      database.clock.pass(MINUTE);
      await createTestDiscussion(database, mira, group.id, { title, body: "What helps?", draftVersion });
    };
    const { version } = (await keep(mira, here, 0, "What helps?", "Beans")).draft;
    await start("Slugs");
    expect(await draftText(mira, here)).toBe("What helps?");
    await start("Slugs again", version);
    expect(await draftText(mira, here)).toBeNull();
    await keep(mira, here, 0, "What helps?", "Moles");
    await start("Moles");
    expect(await draftText(mira, here)).toBeNull();
  });
});
