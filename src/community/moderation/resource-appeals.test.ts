import { describe, expect, test } from "vitest";
import { many, one, sql } from "#platform/database";
import {
  addDocument,
  NewDocument,
  purgeRemovedResources,
  removeResource,
  getResource,
} from "#community/resources";
import { type SignedIn, type Viewer } from "#community/rules";
import {
  createTestGroup,
  listEmittedEvents,
  setMembership,
  createTestUsers,
  createPerson,
} from "../../../test/support/test-users.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import {
  appealResourceRemoval,
  viewCase,
  NewResourceAppeal,
  listOwnReports,
  reportResource,
  listCases,
  Resolution,
  resolveCase,
  getResourceRemoval,
} from "./index.ts";

const database = await testDatabase();
const { db, inTransaction: within, clock } = database;
const DAY = 86_400_000;

const appeal = (viewer: Viewer, resourceId: string) =>
  within((tx) =>
    appealResourceRemoval(tx, viewer, NewResourceAppeal.parse({ resourceId, text: "I give them away." })),
  );
const answer = (viewer: Viewer, reportId: string, outcome: string, reason = "Beans are welcome.") =>
  within((tx) => resolveCase(tx, viewer, Resolution.parse({ caseId: reportId, outcome, reason, note: "" })));
const look = (viewer: Viewer, reportId: string) => within((tx) => viewCase(tx, viewer, reportId));
const remove = (viewer: SignedIn, resourceId: string, reason = "No shops.") =>
  within((tx) => removeResource(tx, viewer, { resourceId, reason }));
const listed = async (viewer: Viewer) =>
  (await listCases(db, viewer, { tab: "open" })).rows.map(({ id }) => id);
const stands = async (id: string) =>
  (await one(db, sql<{ state: string }>`select state from resources where id = ${id}`)).state;

/**
 * Tomas owns the group, Pavel moderates it too; Noor owns the resource that Tomas has removed, and Mira is a
 * member.
 */
async function removed(by?: "noor") {
  const people = await createTestUsers(database);
  const group = await createTestGroup(database, people, { visibility: "private" });
  const pavel = await within((tx) => createPerson(tx, "pavel"));
  await within((tx) => setMembership(tx, group.id, pavel, "moderator"));
  await within((tx) => setMembership(tx, group.id, people.noor, "member"));
  const wish = NewDocument.parse({
    title: "Whose beans",
    body: "Who wants *my* [beans](https://example.org)?",
    groupId: group.id,
  });
  const { id } = await within((tx) => addDocument(tx, people.noor, wish));
  await remove(by ? people[by] : people.tomas, id);
  return { ...people, pavel, group, id };
}

describe("owner of a resource removed by others", () => {
  test("sees its content and the reason, and can appeal once", async () => {
    const { noor, mira, tomas, guest, id } = await removed();
    const removal = await getResourceRemoval(db, noor, id);
    expect(removal).toMatchObject({ id, what: "resource", reason: "No shops.", appeal: null });
    for (const words of ["Whose beans", "<em>my</em>"]) expect(removal.html).toContain(words);
    expect(removal.html).not.toContain("href");
    for (const viewer of [mira, tomas]) {
      await expect(getResourceRemoval(db, viewer, id)).rejects.toMatchObject({ reason: "not-found" });
      await expect(appeal(viewer, id)).rejects.toMatchObject({ reason: "not-found" });
    }
    await expect(appeal(guest, id)).rejects.toMatchObject({ reason: "not-signed-in" });
    clock.pass(20 * DAY);
    await appeal(noor, id);
    await expect(appeal(noor, id)).rejects.toMatchObject({ reason: "conflict" });
    expect((await getResourceRemoval(db, noor, id)).appeal).toMatchObject({
      text: "I give them away.",
      outcome: null,
    });
    expect(await listEmittedEvents(database)).toContain("report.created");
  });

  test("cannot appeal after twenty days, or for an unknown resource", async () => {
    const { noor, id } = await removed();
    clock.pass(20 * DAY + 1);
    await expect(appeal(noor, id)).rejects.toMatchObject({ reason: "not-allowed" });
    for (const wrong of ["x", database.runtime.newId()])
      await expect(getResourceRemoval(db, noor, wrong)).rejects.toMatchObject({ reason: "not-found" });
  });

  test("cannot appeal against their own removal", async () => {
    const { noor, id } = await removed("noor");
    await expect(getResourceRemoval(db, noor, id)).rejects.toMatchObject({ reason: "not-found" });
    await expect(appeal(noor, id)).rejects.toMatchObject({ reason: "not-found" });
  });

  test("gets it restored if another moderator grants the appeal", async () => {
    const { noor, mira, tomas, pavel, ines, id } = await removed();
    const asked = await appeal(noor, id);
    // The moderator who removed the resource does not see the appeal, since there are other moderators.
    expect(await listed(tomas)).toEqual([]);
    await expect(look(tomas, asked.id)).rejects.toMatchObject({ reason: "not-found" });
    for (const viewer of [pavel, ines]) expect(await listed(viewer)).toEqual([asked.id]);
    const shown = await look(pavel, asked.id);
    expect(shown).toMatchObject({
      appeal: true,
      canTakeDown: false,
      removal: { by: { username: "tomas" }, reason: "No shops." },
    });
    expect(shown.place).toMatchObject({ kind: "resource", id, postId: null, gone: true });
    expect(shown.messages).toMatchObject([
      { seq: 0, author: { username: "noor" }, html: expect.stringContaining("<em>my</em>") as string },
    ]);
    await expect(answer(pavel, asked.id, "restored", " ")).rejects.toMatchObject({ reason: "invalid" });
    await expect(answer(pavel, asked.id, "upheld")).rejects.toMatchObject({ reason: "invalid" });
    await answer(pavel, asked.id, "restored");
    expect(await getResource(db, mira, id)).toMatchObject({ state: "published", removedReason: "" });
    expect((await listOwnReports(db, noor)).rows).toMatchObject([
      { appeal: true, outcome: "upheld", answer: "Beans are welcome." },
    ]);
    expect(await listEmittedEvents(database)).toContain("resource.restored");
    // After another removal, the resource can be appealed again.
    clock.pass(1_000);
    await remove(tomas, id);
    expect((await getResourceRemoval(db, noor, id)).appeal).toBeNull();
  });

  test("can read the answer if the appeal is rejected", async () => {
    const people = await removed();
    const asked = await appeal(people.noor, people.id);
    await answer(people.pavel, asked.id, "rejected", "It is a shop.");
    expect(await stands(people.id)).toBe("removed");
    expect((await getResourceRemoval(db, people.noor, people.id)).appeal).toMatchObject({
      outcome: "rejected",
      answer: "It is a shop.",
    });
  });

  test("can appeal while reports about the resource are pending", async () => {
    const people = await createTestUsers(database);
    const group = await createTestGroup(database, people, {});
    await within((tx) => setMembership(tx, group.id, people.noor, "member"));
    const wish = NewDocument.parse({ title: "Beans", body: "Beans.", groupId: group.id });
    const { id } = await within((tx) => addDocument(tx, people.noor, wish));
    await within((tx) => reportResource(tx, people.mira, { resourceId: id, reason: "A shop." }));
    await remove(people.tomas, id);
    const asked = await appeal(people.noor, id);
    // Tomas is the only moderator, so he may decide.
    expect(await listed(people.tomas)).toHaveLength(2);
    await answer(people.tomas, asked.id, "rejected", "No.");
    expect(await listed(people.tomas)).toHaveLength(1);
  });

  test("does not lose the resource to a purge before the appeal is decided", async () => {
    const { noor, pavel, id } = await removed();
    const asked = await appeal(noor, id);
    clock.pass(31 * DAY);
    await within(purgeRemovedResources);
    expect(await stands(id)).toBe("removed");
    await answer(pavel, asked.id, "rejected", "It is a shop.");
    await within(purgeRemovedResources);
    expect(await many(db, sql`select from resources where id = ${id}`)).toEqual([]);
  });
});
