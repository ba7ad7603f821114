import type { z } from "zod";
import { type Db, type Tx, type Database, many, run, sql } from "#platform/database";
import { isKeyOf } from "#platform/objects";
import { emit } from "#platform/outbox";
import { issueMessage } from "#platform/messages";
import { Refusal } from "#platform/refusal";
import type { ApprovalMode, Viewer } from "#community/rules";
import { type ApiDefaults, defaultSettingsFor } from "./hosted-settings.ts";
import { defaultSettings, SettingsChange, type SiteSettings, StoredSettings } from "./site-settings.ts";

/** Site settings, cached per process until they change. */
export type Settings = {
  get: () => Promise<SiteSettings>;
  /**
   * Reads the settings without the cache, for editing: another process may have changed them, and its event
   * may not have arrived.
   */
  getNow: () => Promise<SiteSettings>;
  /**
   * Changes some settings and emits `settings.changed`.
   * @throws `not-allowed` for all but admins, `invalid` with a message by field
   */
  set: (tx: Tx, viewer: Viewer, changes: Partial<SiteSettings>) => Promise<void>;
  /** Current default values of all settings. */
  defaults: () => Promise<SiteSettings>;
  /** Clears the cache. Call it when another process emitted `settings.changed`. */
  forget: () => void;
};

type SettingsOptions = {
  /** Value of `apiDefaults` until an admin sets it. */
  apiDefaults?: ApiDefaults;
};

export function openSettings(
  { db }: Pick<Database, "db">,
  { apiDefaults = "careful" }: SettingsOptions = {},
): Settings {
  let known: Promise<SiteSettings> | null = null;
  const forget = () => void (known = null);
  function get() {
    if (known) return known;
    const settings = readSettings(db, apiDefaults);
    known = settings;
    // A failed query must not be cached.
    settings.catch(() => known === settings && forget());
    return settings;
  }
  return {
    forget,
    get,
    getNow: () => (forget(), get()),
    defaults: async () => ({ ...defaultSettingsFor((await get()).apiDefaults), apiDefaults }),
    async set(tx, viewer, changes) {
      await writeSettings(tx, viewer, changes, apiDefaults);
      tx.afterCommit(forget);
    },
  };
}

async function readSettings(db: Db, initial: ApiDefaults): Promise<SiteSettings> {
  const rows = await many(db, sql<{ key: string; value: unknown }>`select key, value from settings`);
  const stored = Object.fromEntries(rows.map(({ key, value }) => [key, value]));
  const { data, error } = StoredSettings.safeParse(stored);
  if (data) return withDefaults(data, initial);
  // A value of an older version that is no longer valid must not stop the site.
  for (const issue of error.issues) delete stored[String(issue.path[0])];
  return withDefaults(StoredSettings.parse(stored), initial);
}

const withDefaults = (stored: Partial<SiteSettings>, initial: ApiDefaults): SiteSettings => ({
  ...defaultSettingsFor(stored.apiDefaults ?? initial),
  ...stored,
});

async function writeSettings(tx: Tx, viewer: Viewer, changes: Partial<SiteSettings>, initial: ApiDefaults) {
  if (viewer.role !== "admin") throw new Refusal("not-allowed", "Only admins can change the settings.");
  const parsed = SettingsChange.safeParse(changes);
  if (!parsed.success) throw settingsRefusal(parsed.error.issues);
  const wanted = Object.entries(parsed.data).filter(([, value]) => value !== undefined);
  const before = await readSettings(tx, initial);
  const { rules = before.rules, siteRules = before.siteRules } = parsed.data;
  if (rules !== before.rules || listRuleTexts(siteRules) !== listRuleTexts(before.siteRules))
    wanted.push(["rulesVersion", before.rulesVersion + 1]);
  for (const [key, value] of wanted)
    await run(
      tx,
      sql`
      insert into settings (key, value, changed_at, changed_by)
      values (${key}, ${JSON.stringify(value)}::jsonb, ${tx.now}, ${viewer.id})
      on conflict (key) do update set value = excluded.value, changed_at = excluded.changed_at,
        changed_by = excluded.changed_by`,
    );
  const keys = wanted.map(([key]) => key).join(",");
  const valuesBefore = wanted.map(([key]) => [
    `before.${key}`,
    isKeyOf(before, key) ? before[key] : undefined,
  ]);
  await run(
    tx,
    sql`
    insert into audit_events (id, at, actor_id, act, object_kind, object_id, details)
    values (${tx.newId()}, ${tx.now}, ${viewer.id}, 'settings.changed', 'settings', ${keys},
      ${JSON.stringify(Object.fromEntries([...wanted, ...valuesBefore]))}::jsonb)`,
  );
  await emit(tx, { type: "settings.changed", keys, by: viewer.id });
}

/** The rules in force, to compare them: a retired rule that changes needs no new acceptance. */
const listRuleTexts = (siteRules: SiteSettings["siteRules"]): string =>
  JSON.stringify(siteRules.filter(({ isRetired }) => !isRetired).map(({ text }) => text));

function settingsRefusal(issues: z.core.$ZodIssue[]) {
  const fields = Object.fromEntries(
    issues.map((issue) => [String(issue.path[0] ?? "settings"), issueMessage(issue)]),
  );
  return new Refusal("invalid", "Some of these values are not valid.", { fields });
}

/** SQL: whether the site limits how fast and how much a person writes (`writingLimits`). */
export const hasWritingLimits = sql<boolean>`coalesce((select value from settings
  where key = 'writingLimits'), 'true'::jsonb) <> 'false'::jsonb`;
/** SQL: which content of new members needs approval (`firstPosts`). */
export const newcomerReviewSetting = sql<ApprovalMode>`coalesce((select value #>> '{}' from settings
  where key = 'firstPosts'), ${defaultSettings.firstPosts})`;
