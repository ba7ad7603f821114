import type { Database } from "#platform/database";
import type { Happening, Told } from "#platform/outbox";

/** What reactions may call. `src/app.ts` hands it in. */
export type RelayHouse = {
  database: Database;
  /** Settings are kept per process: they are read anew. */
  settingsChanged: () => void;
};
export type Reaction = (house: RelayHouse, happening: Happening, told: Told) => Promise<void>;

const readSettingsAnew: Reaction = async (house) => house.settingsChanged();

/**
 * Everything that follows from what happened, on one screen. Each may run twice without harm: a reaction that failed
 * runs again, and so does one whose process died before it was written down.
 */
export const reactions: Record<string, Record<string, Reaction>> = {
  "settings.changed": { readSettingsAnew },
};
