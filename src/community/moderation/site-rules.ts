import { maybeOne, run, sql, type Tx } from "#platform/database";
import { notFound, Refusal } from "#platform/refusal";
import { z } from "zod";
import { requiredText } from "#community/common";
import { SITE_RULE_LIMITS, siteRuleRules, type Viewer } from "#community/rules";
import { defaultSettings, type Settings, type SiteSettings } from "#community/settings";

/** A rule of the community. Decisions cannot cite a retired one; earlier decisions keep its text. */
export type SiteRule = SiteSettings["siteRules"][number];

export const SiteRuleId = z.object({ id: z.string().max(40) });
export const NewSiteRule = z.object({
  text: requiredText("The rule", "Write the rule.", SITE_RULE_LIMITS.text).transform((text) =>
    text.replace(/\s+/g, " "),
  ),
});
export const SiteRuleText = NewSiteRule.extend(SiteRuleId.shape);

/**
 * Adds a rule at the end.
 * @throws `not-found` for all but admins, `conflict` at the limit and for the text of another rule
 */
export const addSiteRule = (
  tx: Tx,
  viewer: Viewer,
  settings: Settings,
  { text }: z.output<typeof NewSiteRule>,
): Promise<void> =>
  changeSiteRules(tx, viewer, settings, (all) => {
    if (all.length >= SITE_RULE_LIMITS.count)
      throw new Refusal("conflict", "There can be at most 50 rules. Delete a retired one first.");
    return [...all, { id: tx.newId(), text, isRetired: false }];
  });

/**
 * Changes the text of a rule. Decisions that cite it keep the earlier text.
 * @throws `not-found`, `conflict` for the text of another rule
 */
export const editSiteRule = (
  tx: Tx,
  viewer: Viewer,
  settings: Settings,
  { id, text }: z.output<typeof SiteRuleText>,
): Promise<void> =>
  changeSiteRules(tx, viewer, settings, (all) => {
    const at = indexIn(all, id);
    return all[at]!.text === text ? all : all.with(at, { ...all[at]!, text });
  });

/**
 * Retires a rule, so that it is neither shown nor cited any more, or puts it in force again.
 * @throws `not-found`
 */
export const retireSiteRule = (
  tx: Tx,
  viewer: Viewer,
  settings: Settings,
  { id, isRetired }: { id: string; isRetired: boolean },
): Promise<void> =>
  changeSiteRules(tx, viewer, settings, (all) => {
    const at = indexIn(all, id);
    return all.with(at, { ...all[at]!, isRetired });
  });

/**
 * Deletes a retired rule. Decisions that cite it keep its text.
 * @throws `not-found`, `conflict` for a rule in force
 */
export const deleteSiteRule = (
  tx: Tx,
  viewer: Viewer,
  settings: Settings,
  { id }: z.output<typeof SiteRuleId>,
): Promise<void> =>
  changeSiteRules(tx, viewer, settings, (all) => {
    if (!all[indexIn(all, id)]!.isRetired)
      throw new Refusal("conflict", "This rule is in force. Retire it first.");
    return all.filter((rule) => rule.id !== id);
  });

/**
 * Moves a rule one position; does nothing at the end.
 * @throws `not-found`
 */
export const moveSiteRule = (
  tx: Tx,
  viewer: Viewer,
  settings: Settings,
  { id, to }: { id: string; to: "up" | "down" },
): Promise<void> =>
  changeSiteRules(tx, viewer, settings, (all) => {
    const at = indexIn(all, id);
    const other = to === "up" ? at - 1 : at + 1;
    return all[other] ? all.with(at, all[other]).with(other, all[at]!) : all;
  });

/** Texts of the rules in force, in their order. */
export const listSiteRules = async (tx: Tx): Promise<string[]> =>
  (await readSiteRules(tx)).filter(({ isRetired }) => !isRetired).map(({ text }) => text);

async function readSiteRules(tx: Tx): Promise<SiteRule[]> {
  const row = await maybeOne(
    tx,
    sql<{ value: SiteRule[] }>`select value from settings where key = 'siteRules'`,
  );
  return row?.value ?? defaultSettings.siteRules;
}

function indexIn(rules: SiteRule[], id: string): number {
  const at = rules.findIndex((it) => it.id === id);
  if (at < 0) throw notFound();
  return at;
}

async function changeSiteRules(
  tx: Tx,
  viewer: Viewer,
  settings: Settings,
  change: (rules: SiteRule[]) => SiteRule[],
): Promise<void> {
  if (!siteRuleRules.edit(viewer)) throw notFound();
  // Two admins must not overwrite each other's change, and the row may not exist yet.
  await run(tx, sql`select pg_advisory_xact_lock(hashtextextended('site rules', 0))`);
  const before = await readSiteRules(tx);
  const siteRules = change(before);
  if (siteRules === before) return;
  if (new Set(siteRules.map(({ text }) => text)).size < siteRules.length)
    throw new Refusal("conflict", "There is a rule with this text already.");
  await settings.set(tx, viewer, { siteRules });
}
