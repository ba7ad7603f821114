import { many, run, sql } from "#platform/database";
import { emit } from "#platform/outbox";
import { defaultSettings } from "#community/settings";
import { SETTING_CHOICES } from "../archive/records.ts";
import { type Batch, type Entry, writeRows } from "./import-batch.ts";

type Setting = Entry<"setting">;

/** Audience settings: whichever of the two communities is more restrictive wins. */
const AUDIENCE_SETTINGS = ["audience", "guestsSeePeople"] as const;

/**
 * Imports community settings that are not set here yet; for audience settings the more restrictive value
 * wins.
 */
export async function importSettings(batch: Batch, entries: Setting[]): Promise<void> {
  const rows = await many(batch.tx, sql<{ key: string; value: unknown }>`select key, value from settings`);
  const standing = new Map(rows.map(({ key, value }) => [key, value]));
  const fresh = entries.filter(({ record }) => !standing.has(record.key));
  for (const { record } of entries)
    batch.names.add("setting", record.key, {
      localId: batch.run.id,
      part: record.key,
      made: !standing.has(record.key),
    });
  batch.count("setting", "known", entries.length - fresh.length);
  batch.count("setting", "made", fresh.length);
  const narrower = entries.filter((it) => isMoreRestrictive(it, standing));
  for (const it of narrower) noteRestriction(batch, it);
  await writeRows(
    batch,
    "settings",
    fresh.map(({ record: { key, value } }) => ({
      key,
      value,
      changed_at: batch.tx.now,
      changed_by: batch.run.byId,
    })),
  );
  if (narrower.length > 0 && !batch.check) await restrictAudience(batch, narrower);
}

function isMoreRestrictive({ record }: Setting, standing: Map<string, unknown>): boolean {
  const key = AUDIENCE_SETTINGS.find((it) => it === record.key);
  if (!key) return false;
  const choices: readonly unknown[] = SETTING_CHOICES[key];
  return choices.indexOf(record.value) > choices.indexOf(standing.get(key) ?? defaultSettings[key]);
}

const noteRestriction = (batch: Batch, setting: Setting) =>
  batch.note(
    setting,
    setting.record.key === "audience"
      ? "The imported community is for members only, so this one is now too. You can change this in the settings."
      : "The imported community shows guests less of its members, so this one now does too. You can " +
          "change this in the settings.",
  );

/** Restricts the audience at once in all processes, before the next batch imports groups. */
async function restrictAudience({ tx, run: { byId } }: Batch, settings: Setting[]): Promise<void> {
  for (const { record } of settings)
    await run(
      tx,
      sql`update settings set value = ${JSON.stringify(record.value)}::jsonb, changed_at = ${tx.now},
        changed_by = ${byId} where key = ${record.key}`,
    );
  await emit(tx, {
    type: "settings.changed",
    keys: settings.map(({ record }) => record.key).join(","),
    by: byId,
  });
}
