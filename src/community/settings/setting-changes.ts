import { type Db, many, sql } from "#platform/database";
import { notFound } from "#platform/refusal";
import { type PersonCard, personCard } from "#community/common";
import { isSignedIn, type Viewer } from "#community/rules";
import { defaultSettings, type SiteSettings } from "./site-settings.ts";

/**
 * Settings without a field in the form: the rules version is counted, and report categories and the rules
 * that decisions cite have pages of their own.
 */
const OTHER_KEYS = ["rulesVersion", "reportCategories", "siteRules"] as const;
/** Settings that an admin may change on the page of site settings. */
export type SettingKey = Exclude<keyof SiteSettings, (typeof OTHER_KEYS)[number]>;

/** Last change of a setting. `by` is null if the person's account no longer exists. */
export type SettingChange = { key: SettingKey; at: Date; by: PersonCard | null };

/**
 * The last change of each changed setting.
 * @throws `not-found` for all but admins
 */
export async function listSettingChanges(db: Db, viewer: Viewer): Promise<SettingChange[]> {
  if (!isSignedIn(viewer) || viewer.role !== "admin") throw notFound();
  return many(
    db,
    sql<SettingChange>`
      select s.key, s.changed_at as at, case when p.id is not null then ${personCard("p")} end as by
      from settings s left join people p on p.id = s.changed_by
      where s.key = any(${SETTING_KEYS}) order by s.key`,
  );
}

export const SETTING_KEYS = Object.keys(defaultSettings).filter(
  (key): key is SettingKey => !(OTHER_KEYS as readonly string[]).includes(key),
);
