import { describe, expect, test } from "vitest";
import { one, run, sql } from "#platform/database";
import {
  addComment,
  addDocument,
  addLink,
  editResource,
  getResource,
  listComments,
  listResources,
  NewDocument,
  NewLink,
  removeResource,
  ResourceChange,
  restoreVersion,
  unhideResource,
} from "#community/resources";
import { GUEST, type SignedIn, type Viewer } from "#community/rules";
import {
  createPerson,
  createTestGroup,
  createTestUsers,
  listEmittedEvents,
  setMembership,
} from "../../../test/support/test-users.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import { insertGuestReport } from "./guest-reports/guest-report-subjects.ts";
import {
  appealResourceRemoval,
  listCases,
  NewResourceAppeal,
  NewResourceReport,
  reportResource,
  Resolution,
  resolveCase,
  viewCase,
} from "./index.ts";

const database = await testDatabase();
const { db, inTransaction: within, clock } = database;

const MINUTE = 60_000;
const report = (viewer: Viewer, resourceId: string) =>
  within((tx) =>
    reportResource(tx, viewer, NewResourceReport.parse({ resourceId, reason: "It sells beans." })),
  );
const allOf = async (by: SignedIn[], id: string) => {
  for (const viewer of by) await report(viewer, id);
};
const end = (viewer: Viewer, caseId: string, outcome: string) =>
  within((tx) =>
    resolveCase(tx, viewer, Resolution.parse({ caseId, outcome, reason: "No shops.", note: "" })),
  );
const edit = (viewer: Viewer, resourceId: string, fields: object) =>
  within((tx) =>
    editResource(tx, viewer, ResourceChange.parse({ resourceId, changes: 0, reason: "", ...fields })),
  );
const show = (viewer: Viewer, resourceId: string) =>
  within((tx) => unhideResource(tx, viewer, { resourceId }));
const sees = (viewer: Viewer, id: string) =>
  getResource(db, viewer, id).then(
    () => true,
    (error: { reason: string }) => error.reason,
  );
const stateOf = async (id: string) =>
  (await one(db, sql<{ state: string }>`select state from resources where id = ${id}`)).state;
const document = (by: SignedIn, groupId?: string) =>
  within((tx) => addDocument(tx, by, NewDocument.parse({ title: "Beans", body: "Buy my beans.", groupId })));

/**
 * Tomas owns the group; Mira, Noor, Pavel, Vera and Yuki are members, the last two new. Noor's document is
 * reported.
 */
async function library(visibility: "public" | "private" = "private") {
  const people = await createTestUsers(database);
  const group = await createTestGroup(database, people, { visibility });
  const more = await within(async (tx) => ({
    pavel: await createPerson(tx, "pavel"),
    vera: await createPerson(tx, "vera", "member", "new"),
    yuki: await createPerson(tx, "yuki", "member", "new"),
  }));
  for (const viewer of [people.noor, ...Object.values(more)])
    await within((tx) => setMembership(tx, group.id, viewer, "member"));
  return { ...people, ...more, group, id: (await document(people.noor, group.id)).id };
}

describe("resource reported by several people", () => {
  test("becomes hidden from everyone but its owner and moderators until it is reviewed", async () => {
    const { mira, pavel, vera, tomas, noor, ines, ada, id } = await library("public");
    await report(mira, id);
    expect(await sees(vera, id)).toBe(true);
    await report(pavel, id);
    for (const viewer of [mira, pavel, vera, GUEST]) expect(await sees(viewer, id)).toBe("not-found");
    for (const viewer of [mira, noor, tomas]) expect((await listResources(db, viewer, {})).rows).toEqual([]);
    await expect(report(vera, id)).rejects.toMatchObject({ reason: "not-found" });
    for (const viewer of [noor, tomas, ines, ada])
      expect(await getResource(db, viewer, id)).toMatchObject({
        state: "hidden",
        hiddenAt: clock.at,
        hiddenTimes: 1,
      });
    await expect(report(tomas, id)).rejects.toMatchObject({ reason: "conflict" });
    expect(await listEmittedEvents(database)).toContain("resource.hidden");
    expect((await listCases(db, tomas, { tab: "open" })).rows).toMatchObject([
      { place: { kind: "resource", id, hidden: true, open: true, gone: false } },
    ]);
  });

  test.each([
    ["two established members", ["mira", "pavel"], true],
    ["one established member and two newcomers", ["mira", "vera", "yuki"], true],
    ["one established member and one newcomer", ["mira", "vera"], false],
    ["two newcomers", ["vera", "yuki"], false],
  ] as const)("becomes hidden only after enough trusted reports: %s", async (_who, names, hidden) => {
    const all = await library();
    await allOf(
      names.map((name) => all[name]),
      all.id,
    );
    expect(await stateOf(all.id)).toBe(hidden ? "hidden" : "published");
  });

  test("causes only one hiding event when reports arrive at the same moment", async () => {
    const { mira, pavel, vera, id } = await library();
    const reports = await Promise.allSettled([mira, pavel, vera].map((viewer) => report(viewer, id)));
    // People who report an already hidden resource learn that it is hidden, or do not find it any more.
    for (const it of reports)
      if (it.status === "rejected") expect(["conflict", "not-found"]).toContain(it.reason.reason);
    expect(await stateOf(id)).toBe("hidden");
    expect((await listEmittedEvents(database)).filter((type) => type === "resource.hidden")).toHaveLength(1);
  });

  test("stays visible if a moderator owns it, if reporters are restricted, or if guests report it", async () => {
    const { mira, pavel, vera, tomas, ines, group, id } = await library("public");
    await within((tx) => setMembership(tx, group.id, ines, "member"));
    for (const by of [tomas, ines]) {
      const own = await document(by, group.id);
      await allOf([mira, pavel, vera], own.id);
      expect(await stateOf(own.id)).toBe("published");
    }
    for (let guests = 0; guests < 5; guests++)
      await within((tx) =>
        insertGuestReport(tx, { kind: "resource", subjectId: id }, { reason: "It sells." }),
      );
    await report(pavel, id);
    await run(db, sql`update people set state = 'limited' where id = ${pavel.id}`);
    await report(mira, id);
    expect(await stateOf(id)).toBe("published");
  });

  test("outside groups is seen by its owner and site moderators only", async () => {
    const { mira, pavel, tomas, noor, ines } = await library();
    const { id } = await within((tx) =>
      addLink(tx, noor, NewLink.parse({ url: "https://beans.example/", title: "Beans" })),
    );
    await allOf([mira, pavel], id);
    expect([await sees(noor, id), await sees(ines, id)]).toEqual([true, true]);
    expect([await sees(tomas, id), await sees(GUEST, id)]).toEqual(["not-found", "not-found"]);
  });
});

describe("hidden resource", () => {
  test("takes no comments, and shows the ones it has to its owner and moderators only", async () => {
    const { mira, pavel, vera, tomas, noor, id } = await library();
    await within((tx) => addComment(tx, vera, { resourceId: id, body: "Nice beans." }));
    await allOf([mira, pavel], id);
    for (const viewer of [noor, tomas])
      expect((await listComments(db, viewer, await getResource(db, viewer, id))).comments).toHaveLength(1);
    await expect(
      within((tx) => addComment(tx, vera, { resourceId: id, body: "Still nice." })),
    ).rejects.toMatchObject({ reason: "not-found" });
    await expect(
      within((tx) => addComment(tx, noor, { resourceId: id, body: "Still nice." })),
    ).rejects.toMatchObject({ reason: "not-allowed" });
  });

  test.each(["rejected", "upheld"])("becomes visible when its reports are closed as %s", async (outcome) => {
    const { mira, pavel, tomas, id } = await library();
    await allOf([mira, pavel], id);
    const [waiting] = (await listCases(db, tomas, { tab: "open" })).rows;
    await end(tomas, waiting!.id, outcome);
    expect(await sees(mira, id)).toBe(true);
    expect(await listEmittedEvents(database)).toContain("resource.unhidden");
    expect(
      await one(db, sql`select actor_id as by from audit_events where act = ${`report.${outcome}`}`),
    ).toEqual({ by: tomas.id });
  });

  test("stays hidden when it is removed, and becomes visible when an appeal restores it", async () => {
    const { mira, pavel, noor, tomas, ines, id } = await library();
    await report(mira, id);
    const { id: reportId } = await report(pavel, id);
    await end(tomas, reportId, "removed");
    expect(await sees(mira, id)).toBe("gone");
    const text = "They are for free.";
    await within((tx) => appealResourceRemoval(tx, noor, NewResourceAppeal.parse({ resourceId: id, text })));
    const [appeal] = (await listCases(db, ines, { tab: "open" })).rows;
    expect(appeal).toMatchObject({ appeal: true });
    await end(ines, appeal!.id, "restored");
    expect(await sees(mira, id)).toBe(true);
    // Reports from before no longer count.
    clock.pass(MINUTE);
    await report(mira, id);
    expect(await stateOf(id)).toBe("published");
  });

  test("can be removed by its owner meanwhile", async () => {
    const { mira, pavel, noor, tomas, id } = await library();
    await allOf([mira, pavel], id);
    await within((tx) => removeResource(tx, noor, { resourceId: id, reason: "" }));
    const [waiting] = (await listCases(db, tomas, { tab: "open" })).rows;
    await end(tomas, waiting!.id, "rejected");
    expect(await stateOf(id)).toBe("removed");
  });

  test("becomes visible when a moderator shows it, and then only new reports count", async () => {
    const { mira, pavel, vera, yuki, noor, tomas, group, id } = await library();
    await expect(show(tomas, id)).rejects.toMatchObject({ reason: "not-found" });
    await allOf([mira, pavel], id);
    await expect(show(vera, id)).rejects.toMatchObject({ reason: "not-found" });
    await expect(show(noor, id)).rejects.toMatchObject({ reason: "not-allowed" });
    await within((tx) => setMembership(tx, group.id, noor, "moderator"));
    await expect(show(noor, id)).rejects.toMatchObject({ reason: "not-allowed" });
    await within((tx) => setMembership(tx, group.id, noor, "member"));
    clock.pass(MINUTE);
    await show(tomas, id);
    expect(await sees(mira, id)).toBe(true);
    expect(
      await one(db, sql`select actor_id as by from audit_events where act = 'resource.unhidden'`),
    ).toEqual({ by: tomas.id });
    clock.pass(MINUTE);
    await allOf([vera, yuki], id);
    expect(await stateOf(id)).toBe("published");
  });

  test("becomes visible after its owner edits it, but needs review the second time", async () => {
    const { mira, pavel, noor, tomas, id } = await library();
    await allOf([mira, pavel], id);
    clock.pass(9 * MINUTE);
    const body = "I like beans.";
    await expect(edit(noor, id, { body })).rejects.toMatchObject({ reason: "not-allowed" });
    clock.pass(MINUTE);
    await expect(edit(noor, id, { body: "Buy my beans." })).rejects.toMatchObject({
      fields: { title: expect.any(String) },
    });
    await expect(
      within((tx) => restoreVersion(tx, noor, { resourceId: id, changes: 0, version: 1, reason: "" })),
    ).rejects.toMatchObject({ fields: { title: expect.any(String) } });
    await expect(edit(tomas, id, { body, reason: "Beans." })).rejects.toMatchObject({
      reason: "not-allowed",
    });
    await edit(noor, id, { body });
    expect(await getResource(db, mira, id)).toMatchObject({
      bodyMd: body,
      state: "published",
      hiddenTimes: 0,
      returnedAt: null,
    });
    const [waiting] = (await listCases(db, tomas, { tab: "open" })).rows;
    const { messages } = await within((tx) => viewCase(tx, tomas, waiting!.id));
    expect(JSON.stringify(messages)).toContain("Buy my beans.");
    await end(tomas, waiting!.id, "rejected");
    clock.pass(MINUTE);
    await allOf([mira, pavel], id);
    clock.pass(60 * MINUTE);
    await expect(edit(noor, id, { body: "Beans!", changes: 1 })).rejects.toMatchObject({
      reason: "not-allowed",
    });
  });
});
