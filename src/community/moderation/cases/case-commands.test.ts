import { describe, expect, test } from "vitest";
import { many, one, run, sql } from "#platform/database";
import type { Viewer } from "#community/rules";
import {
  addCaseNote,
  claimCase,
  handOverCase,
  listCases,
  listGroupLog,
  markDuplicate,
  releaseCase,
  removeSpam,
  reportPerson,
  Resolution,
  resolveCase,
} from "../index.ts";
import {
  createPerson,
  createTestReply,
  listEmittedEvents,
  setMembership,
} from "../../../../test/support/test-users.ts";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import { createReportSetup } from "../../../../test/support/moderation/report-setup.ts";

const database = await testDatabase();
const { report, view, resolve, setupReportedPost } = createReportSetup(database);
const { db, inTransaction: within } = database;

const claim = (who: Viewer, caseId: string) => within((tx) => claimCase(tx, who, { caseId }));
const note = (who: Viewer, caseId: string, text: string) =>
  within((tx) => addCaseNote(tx, who, { caseId, text }));
const REFUSED = { reason: "not-found" };

/** A reported post in a group that Tomas owns and Pavel moderates. */
async function setupCase() {
  const setup = await setupReportedPost();
  const pavel = await within((tx) => createPerson(tx, "pavel"));
  await within((tx) => setMembership(tx, setup.group.id, pavel, "moderator"));
  return { ...setup, pavel, caseId: (await report(setup.mira, setup.post.id)).id };
}

describe("assignment of a case", () => {
  test("can be claimed, released, and handed over to another moderator, who is notified", async () => {
    const { tomas, pavel, caseId } = await setupCase();
    await claim(tomas, caseId);
    expect(await view(pavel, caseId)).toMatchObject({ state: "in_progress", assignee: { id: tomas.id } });
    await expect(within((tx) => releaseCase(tx, pavel, { caseId }))).rejects.toMatchObject({
      reason: "not-allowed",
    });
    await within((tx) => releaseCase(tx, tomas, { caseId }));
    expect(await view(tomas, caseId)).toMatchObject({ state: "open", assignee: null });
    await within((tx) => handOverCase(tx, tomas, { caseId, personId: pavel.id }));
    expect(await listEmittedEvents(database)).toContain("case.handed_over");
    expect((await view(pavel, caseId)).timeline.map(({ act }) => act)).toEqual([
      "reported",
      "case.claimed",
      "case.released",
      "case.handed_over",
    ]);
    expect(
      (await listCases(db, pavel, { tab: "open", assigned: "me" })).rows.map((row) => row.caseId),
    ).toEqual([caseId]);
    expect((await listCases(db, pavel, { tab: "open", assigned: "nobody" })).rows).toEqual([]);
  });

  test("excludes ordinary members and the people involved in the case", async () => {
    const { tomas, mira, noor, group, there, caseId } = await setupCase();
    await within((tx) => setMembership(tx, group.id, noor, "moderator"));
    for (const who of [mira, noor]) {
      await expect(claim(who, caseId)).rejects.toMatchObject(REFUSED);
      await expect(note(who, caseId, "Mine.")).rejects.toMatchObject(REFUSED);
      await expect(
        within((tx) => handOverCase(tx, tomas, { caseId, personId: who.id })),
      ).rejects.toMatchObject({ reason: "invalid" });
    }
    await claim(tomas, caseId);
    const acts = async (who: Viewer) =>
      (await listGroupLog(db, who, await there(who))).rows.map(({ act }) => act);
    expect(await acts(tomas)).toContain("case.claimed");
    expect(await acts(noor)).not.toContain("case.claimed");
  });

  test("prevents other moderators from deciding until they claim the case", async () => {
    const { tomas, pavel, caseId } = await setupCase();
    await claim(tomas, caseId);
    await expect(resolve(pavel, caseId, "rejected")).rejects.toThrow("Tomas");
    await claim(pavel, caseId);
    await resolve(pavel, caseId, "rejected");
  });
});

describe("internal note", () => {
  test("can be read by staff, and notifies the moderators that it mentions", async () => {
    const { tomas, pavel, ada, caseId } = await setupCase();
    await note(tomas, caseId, `@pavel and @mira, write to me@ada.example?`);
    expect((await view(ada, caseId)).notes).toMatchObject([{ author: { id: tomas.id } }]);
    expect(
      await many(db, sql`select payload->>'personId' as id from outbox where type = 'case.mentioned'`),
    ).toEqual([{ id: pavel.id }]);
  });
});

describe("decision of a case", () => {
  test("fails for the second of two moderators, with the first decision in the error", async () => {
    const { tomas, pavel, caseId } = await setupCase();
    const decided = await Promise.allSettled([
      resolve(tomas, caseId, "removed", "No shops."),
      resolve(pavel, caseId, "removed", "No shops."),
    ]);
    const refused = decided.find((it) => it.status === "rejected");
    expect(refused?.reason).toMatchObject({
      reason: "conflict",
      message: expect.stringMatching(/^.+ has already decided this case: the content was removed\.$/),
    });
  });

  test("stores the text of the cited group rule, and shows it to the author", async () => {
    const { tomas, post, group, caseId } = await setupCase();
    await run(db, sql`update groups set rules = '["No shops."]' where id = ${group.id}`);
    const decide = (rule: string) =>
      within((tx) =>
        resolveCase(
          tx,
          tomas,
          Resolution.parse({ caseId, outcome: "removed", reason: "Beans.", note: "", rule }),
        ),
      );
    await expect(decide("No dogs.")).rejects.toMatchObject({ fields: { rule: expect.any(String) } });
    await decide("No shops.");
    await run(db, sql`update groups set rules = '[]' where id = ${group.id}`);
    expect(await view(tomas, caseId)).toMatchObject({ rule: "No shops.", action: "removed" });
    expect(await one(db, sql`select removed_reason as why from posts where id = ${post.id}`)).toEqual({
      why: "No shops.\nBeans.",
    });
  });

  test("by staff can restrict the author for some days", async () => {
    const { ines, tomas, noor, caseId } = await setupCase();
    const restrict = (who: Viewer) =>
      within((tx) =>
        resolveCase(
          tx,
          who,
          Resolution.parse({ caseId, outcome: "limited", reason: "No shops.", note: "", days: "7" }),
        ),
      );
    await expect(restrict(tomas)).rejects.toMatchObject({ reason: "not-allowed" });
    await restrict(ines);
    expect(await one(db, sql`select state from people where id = ${noor.id}`)).toEqual({ state: "limited" });
    expect(await view(ines, caseId)).toMatchObject({
      action: "limited",
      sanctions: [{ act: "person.limited" }],
    });
  });
});

describe("duplicate case", () => {
  test("moves its reports to the original case, whose decision applies to both", async () => {
    const { tomas, mira, noor, discussion, post, caseId } = await setupCase();
    const other = await createTestReply(database, noor, discussion.id, { body: "More beans." });
    const second = await report(mira, other.id);
    await within((tx) => markDuplicate(tx, tomas, { caseId: second.id, originalId: caseId }));
    expect(await view(tomas, second.id)).toMatchObject({ caseId, also: [{ reporter: { id: mira.id } }] });
    expect((await listCases(db, tomas, { tab: "open" })).rows).toMatchObject([{ caseId, reportsCount: 2 }]);
    await resolve(tomas, caseId, "removed", "No shops.");
    expect(await many(db, sql`select state from posts where id in (${post.id}, ${other.id})`)).toEqual([
      { state: "removed" },
      { state: "removed" },
    ]);
  });

  test("cannot refer to a case outside its group", async () => {
    const { ada, mira, noor, caseId } = await setupCase();
    const elsewhere = await within((tx) => reportPerson(tx, mira, { personId: noor.id, reason: "Rude." }));
    await expect(
      within((tx) => markDuplicate(tx, ada, { caseId, originalId: elsewhere.id })),
    ).rejects.toMatchObject({ fields: { originalId: expect.any(String) } });
  });
});

test("removing spam of several cases skips cases that were decided before", async () => {
  const { tomas, mira, noor, discussion, caseId } = await setupCase();
  const other = await createTestReply(database, noor, discussion.id, { body: "More beans." });
  const second = await report(mira, other.id);
  await resolve(tomas, second.id, "rejected");
  expect(await removeSpam(database, tomas, { caseIds: [caseId, second.id], reason: "Spam" })).toEqual([
    caseId,
  ]);
  expect((await listCases(db, tomas, { tab: "resolved" })).rows.map(({ action }) => action).sort()).toEqual([
    "none",
    "removed",
  ]);
});
