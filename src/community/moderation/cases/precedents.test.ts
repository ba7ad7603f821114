import { describe, expect, test } from "vitest";
import { run, sql } from "#platform/database";
import { createCaseSetup } from "../../../../test/support/moderation/case-setup.ts";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import {
  createTestDiscussion,
  createTestGroup,
  createTestReply,
} from "../../../../test/support/test-users.ts";

const database = await testDatabase();
const { report, view, setup, decide } = createCaseSetup(database);

/** Two cases about posts of Noor in the same group, the first of which was decided by a warning. */
async function setupTwoCases() {
  const it = await setup();
  await decide(it.tomas, it.caseId, "warned");
  const other = await createTestReply(database, it.noor, it.discussion.id);
  const { id: openCaseId } = await report(it.mira, other.id);
  return { ...it, openCaseId };
}

describe("precedents of a case", () => {
  test("include decided cases of the same group, kind and category, with decision and rule", async () => {
    const { tomas, ines, openCaseId } = await setupTwoCases();
    for (const who of [tomas, ines])
      expect((await view(who, openCaseId)).precedents).toMatchObject([
        { action: "warned", rule: "No shops.", outcome: "upheld" },
      ]);
  });

  test("have no case of another category, and none that is open", async () => {
    const { tomas, caseId, openCaseId } = await setupTwoCases();
    await run(database.db, sql`update reports set category = 'spam' where case_id = ${openCaseId}`);
    expect((await view(tomas, openCaseId)).precedents).toEqual([]);
    expect((await view(tomas, caseId)).precedents).toEqual([]);
  });

  test("have no case of another group", async () => {
    const it = await setupTwoCases();
    const group = await createTestGroup(database, it, { visibility: "public" });
    const discussion = await createTestDiscussion(database, it.mira, group.id);
    const post = await createTestReply(database, it.mira, discussion.id);
    const { id } = await report(it.noor, post.id);
    for (const who of [it.tomas, it.ines]) {
      expect((await view(who, id)).precedents).toEqual([]);
      expect((await view(who, it.openCaseId)).precedents).toHaveLength(1);
    }
  });

  test("have no case that involves the viewer", async () => {
    const { tomas, ines, mira, noor, discussion, openCaseId } = await setupTwoCases();
    const third = await createTestReply(database, noor, discussion.id);
    const { id } = await report(ines, third.id);
    await decide(tomas, id, "warned");
    expect((await view(tomas, openCaseId)).precedents).toHaveLength(2);
    expect((await view(ines, openCaseId)).precedents).toHaveLength(1);
    await expect(view(mira, openCaseId)).rejects.toMatchObject({ reason: "not-found" });
  });
});
