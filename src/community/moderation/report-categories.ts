import { maybeOne, run, sql, type Tx } from "#platform/database";
import { notFound, Refusal } from "#platform/refusal";
import { z } from "zod";
import { requiredText, optionalText } from "#community/common";
import { LIMITS, OTHER_CATEGORY, REPORT_CATEGORIES, reportRules, type Viewer } from "#community/rules";
import { defaultSettings, type Settings, type SiteSettings } from "#community/settings";

/** A category of reports. An empty name stands for the translated default. */
export type ReportCategory = SiteSettings["reportCategories"][number];

const categoryId = z.string().max(40);
const nameField = "The name";
const isBuiltIn = (id: string) => (REPORT_CATEGORIES as readonly string[]).includes(id);

export const NewCategory = z.object({
  name: requiredText(nameField, "Enter a name.", LIMITS.reportCategories.name),
});
export const CategoryName = z.object({
  id: categoryId,
  name: optionalText(nameField, LIMITS.reportCategories.name),
});
export const CategoryId = z.object({ id: categoryId });

type Change = (categories: ReportCategory[]) => ReportCategory[];

/**
 * Adds a category at the end.
 * @throws `not-found` for all but admins, `conflict` at the limit
 */
export const addReportCategory = (
  tx: Tx,
  viewer: Viewer,
  settings: Settings,
  { name }: z.output<typeof NewCategory>,
): Promise<void> =>
  changeCategories(tx, viewer, settings, (all) => {
    if (all.length >= LIMITS.reportCategories.count)
      throw new Refusal("conflict", "There can be at most 20 categories. Rename one instead.");
    return [...all, { id: tx.newId(), name, off: false }];
  });

/**
 * Renames a category; an empty name restores the default.
 * @throws `not-found`; `invalid` for an own category without a name
 */
export const renameReportCategory = (
  tx: Tx,
  viewer: Viewer,
  settings: Settings,
  { id, name }: z.output<typeof CategoryName>,
): Promise<void> => {
  if (name === "" && !isBuiltIn(id))
    throw new Refusal("invalid", "Enter a name.", { fields: { name: "Enter a name." } });
  return changeCategory(tx, viewer, settings, id, (it) => ({ ...it, name }));
};

/**
 * Turns a category on or off. Existing reports keep a category that is turned off.
 * @throws `not-found`; `not-allowed` for the category of reports without one
 */
export const setReportCategoryOff = (
  tx: Tx,
  viewer: Viewer,
  settings: Settings,
  { id, off }: { id: string; off: boolean },
): Promise<void> => {
  if (id === OTHER_CATEGORY)
    throw new Refusal("not-allowed", "This category cannot be turned off: reports from apps use it.");
  return changeCategory(tx, viewer, settings, id, (it) => ({ ...it, off }));
};

/**
 * Moves a category one position; does nothing at the end.
 * @throws `not-found`
 */
export const moveReportCategory = (
  tx: Tx,
  viewer: Viewer,
  settings: Settings,
  { id, to }: { id: string; to: "up" | "down" },
): Promise<void> =>
  changeCategories(tx, viewer, settings, (all) => {
    const at = indexIn(all, id);
    const other = to === "up" ? at - 1 : at + 1;
    if (all[other] === undefined) return all;
    const moved = [...all];
    [moved[at], moved[other]] = [moved[other]!, moved[at]!];
    return moved;
  });

function indexIn(categories: ReportCategory[], id: string): number {
  const at = categories.findIndex((it) => it.id === id);
  if (at < 0) throw notFound();
  return at;
}

const changeCategory = (
  tx: Tx,
  viewer: Viewer,
  settings: Settings,
  id: string,
  change: (it: ReportCategory) => ReportCategory,
) =>
  changeCategories(tx, viewer, settings, (all) => all.with(indexIn(all, id), change(all[indexIn(all, id)]!)));

async function changeCategories(tx: Tx, viewer: Viewer, settings: Settings, change: Change): Promise<void> {
  if (!reportRules.editCategories(viewer)) throw notFound();
  // Two admins must not overwrite each other's change, and the row may not exist yet.
  await run(tx, sql`select pg_advisory_xact_lock(hashtextextended('report categories', 0))`);
  const row = await maybeOne(
    tx,
    sql<{ value: ReportCategory[] }>`select value from settings where key = 'reportCategories'`,
  );
  const before = row?.value ?? defaultSettings.reportCategories;
  const reportCategories = change(before);
  if (reportCategories !== before) await settings.set(tx, viewer, { reportCategories });
}
