import { describe, expect, test } from "vitest";
import { SECOND } from "#platform/clock";
import { one, sql } from "#platform/database";
import { LIMITS, REPORT_CATEGORIES, type Viewer } from "#community/rules";
import { openSettings } from "#community/settings";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import { createReportSetup } from "../../../test/support/moderation/report-setup.ts";
import { createTestUsers } from "../../../test/support/test-users.ts";
import {
  addReportCategory,
  listCases,
  listOwnReports,
  moveReportCategory,
  NewPostReport,
  renameReportCategory,
  reportDetails,
  reportPost,
  setReportCategoryOff,
} from "./index.ts";

const database = await testDatabase();
const { setupReportedPost, report, view } = createReportSetup(database);
const { db, clock, inTransaction: within } = database;

const settings = openSettings(database);
const list = async () => (await settings.getNow()).reportCategories;
const add = (who: Viewer, name: string) => within((tx) => addReportCategory(tx, who, settings, { name }));

describe("report categories", () => {
  test("can be renamed, moved, turned off and added by admins", async () => {
    const { ada } = await createTestUsers(database);
    await within((tx) => renameReportCategory(tx, ada, settings, { id: "spam", name: "Advertising" }));
    await within((tx) => moveReportCategory(tx, ada, settings, { id: "spam", to: "down" }));
    await within((tx) => moveReportCategory(tx, ada, settings, { id: "harassment", to: "up" }));
    await within((tx) => setReportCategoryOff(tx, ada, settings, { id: "self-harm", off: true }));
    await add(ada, "Wrong group");
    const found = await list();
    expect(found.map(({ id, name, off }) => name || (off ? `(${id})` : id))).toEqual([
      "harassment",
      "Advertising",
      "illegal",
      "(self-harm)",
      "off-topic",
      "other",
      "Wrong group",
    ]);
    const { category } = reportDetails(found);
    expect(category.safeParse(found.at(-1)!.id).success).toBe(true);
    for (const id of ["self-harm", "nonsense", "", undefined])
      expect(category.safeParse(id).success, String(id)).toBe(false);
  });

  test("refuse changes by non-admins, an empty custom name, and turning off “other”", async () => {
    const { ada, ines, mira, guest } = await createTestUsers(database);
    for (const who of [ines, mira, guest])
      await expect(add(who, "Mine")).rejects.toMatchObject({ reason: "not-found" });
    const off = within((tx) => setReportCategoryOff(tx, ada, settings, { id: "other", off: true }));
    await expect(off).rejects.toMatchObject({ reason: "not-allowed" });
    await add(ada, "Wrong group");
    const { id } = (await list()).at(-1)!;
    const nameless = within((tx) => renameReportCategory(tx, ada, settings, { id, name: "" }));
    await expect(nameless).rejects.toMatchObject({ reason: "invalid" });
    const unknown = within((tx) => moveReportCategory(tx, ada, settings, { id: "gone", to: "up" }));
    await expect(unknown).rejects.toMatchObject({ reason: "not-found" });
  });

  test("store all concurrent additions up to the limit", async () => {
    const { ada } = await createTestUsers(database);
    const free = LIMITS.reportCategories.count - REPORT_CATEGORIES.length;
    await Promise.all(Array.from({ length: free }, (_, i) => add(ada, `Own ${i}`)));
    expect(await list()).toHaveLength(LIMITS.reportCategories.count);
    await expect(add(ada, "One more")).rejects.toMatchObject({ reason: "conflict" });
  });
});

test("a report stores its category (default “other”), and the law for illegal content", async () => {
  const { mira, tomas, ada, post } = await setupReportedPost("public");
  const law = "Germany, § 130 StGB";
  const stored = async ({ id }: { id: string }) => {
    const row = await one(
      db,
      sql<{ category: string; law: string }>`select category, law from reports where id = ${id}`,
    );
    return [row.category, row.law];
  };
  const input = NewPostReport.parse({ postId: post.id, reason: "It sells beans." });
  const as = (who: Viewer, category: string) =>
    within((tx) => reportPost(tx, who, { ...input, category, law }));
  expect(await stored(await as(mira, "spam"))).toEqual(["spam", ""]);
  expect(await stored(await as(ada, "illegal"))).toEqual(["illegal", law]);
  expect(await stored(await report(tomas, post.id))).toEqual(["other", ""]);
  await within((tx) => renameReportCategory(tx, ada, settings, { id: "spam", name: "Advertising" }));
  expect((await listOwnReports(db, mira)).rows).toMatchObject([
    { category: { id: "spam", name: "Advertising" } },
  ]);
});

test("a case shows all categories of its reports, and the queue filters by the latest", async () => {
  const { mira, ines, ada, post } = await setupReportedPost("public");
  const input = NewPostReport.parse({ postId: post.id, reason: "It sells beans." });
  const as = (who: Viewer, category: string, law = "") =>
    within((tx) => reportPost(tx, who, { ...input, category, law }));
  const { id } = await as(mira, "illegal", "Germany, § 130 StGB");
  clock.pass(SECOND);
  await as(ada, "spam");
  expect(await view(ines, id)).toMatchObject({
    category: { id: "spam", name: "" },
    law: "",
    also: [{ category: { id: "illegal", name: "" }, law: "Germany, § 130 StGB" }],
  });
  const listIds = async (category: string) =>
    (await listCases(db, ines, { tab: "open", category })).rows.map(({ caseId }) => caseId);
  expect(await listIds("spam")).toEqual([id]);
  expect(await listIds("illegal")).toEqual([]);
});
