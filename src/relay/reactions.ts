import { endWhatIsOver, ENDING, tellOf, TOLD } from "#community/notifications";
import { AUTOMATED_BY } from "#community/published";
import { HEARD } from "#backend/flows";
import type { Database } from "#platform/database";
import type { Happening, Told } from "#platform/outbox";

/** Dependencies of the event handlers, supplied by `src/app/app.ts`. */
export type RelayHouse = {
  database: Database;
  /** Settings are cached per process and must be reloaded. */
  settingsChanged: () => void;
  /** Pushes to open pages, unless the committing process already did. */
  show: (happening: Happening, id: string) => void;
  /** Queues the affected content for indexing. */
  file: (happenings: readonly Happening[]) => Promise<void>;
  /** Starts automations that this event triggers. */
  startFlows: (happening: Happening, id: string) => Promise<void>;
  /** Withdraws a person's scheduled content. */
  withdraw: (personId: string) => Promise<unknown>;
  /** Mails a person the decision about their account; once per id. */
  tellOfStatus: (told: { id: string; personId: string; state: string; lifted: boolean; at: Date }) => Promise<void>;
  tellOfAppeal: (told: { id: string; personId: string; reportId: string }) => Promise<void>;
};
export type Reaction = (house: RelayHouse, happening: Happening, told: Told) => Promise<void>;
/** Handles many events at the cost of one: runs once per batch. */
export type SharedReaction = (house: RelayHouse, happenings: readonly Happening[]) => Promise<void>;
export type Following = { each: Record<string, Record<string, Reaction>>; together: Record<string, SharedReaction> };

/** Fallback for the push right after the commit: for processes without sockets, or that ended too soon. */
const showOnSockets: Reaction = async (house, happening, { id }) => house.show(happening, id);
const readSettingsAnew: Reaction = async (house) => house.settingsChanged();
/** Inserts notifications, and withdraws obsolete ones. */
const notify: Reaction = ({ database }, _happening, told) => tellOf(database, told);
const endNotifications: Reaction = ({ database }, happening) => endWhatIsOver(database, happening);

/** Starts or continues the automations that listen to the event. */
const startFlows: Reaction = (house, happening, { id }) => house.startFlows(happening, id);

/** Content scheduled by a suspended or departed person is not published. */
const withdraw: Reaction = async (house, { state, personId }) => {
  if (state === undefined || state === "suspended") await house.withdraw(String(personId));
};

/** An email of its own: a suspended person can read nothing else, and a limited one must learn why. */
const tellThem: Reaction = async (house, { personId, state, lifted }, { id, at }) =>
  house.tellOfStatus({ id, at, personId: String(personId), state: String(state), lifted: lifted === true });
const tellThatItStays: Reaction = async (house, { personId, reportId }, { id }) =>
  house.tellOfAppeal({ id, personId: String(personId), reportId: String(reportId) });

/** The search index follows the content with a short delay. */
const fileForSearch: SharedReaction = (house, happenings) => house.file(happenings);

/**
 * Every consequence of a domain event, on one screen. Handlers are idempotent: one that failed, or whose
 * process died before recording it, runs again. Handlers under `*` run for every event; batch handlers run
 * after all of these.
 */
const following: Record<string, Record<string, Reaction>> = {
  "*": { showOnSockets },
  "settings.changed": { readSettingsAnew },
  // An import can change site settings, and so can undoing it.
  "transfer.finished": { readSettingsAnew },
  "transfer.undone": { readSettingsAnew },
  "person.status-changed": { withdraw, tellThem },
  "person.appeal-declined": { tellThatItStays },
  "person.left": { withdraw },
};
for (const type of TOLD) following[type] = { ...following[type], notify };
for (const type of ENDING) following[type] = { ...following[type], endNotifications };
for (const type of [...HEARD, ...AUTOMATED_BY]) following[type] = { ...following[type], startFlows };
export const reactions: Following = { each: following, together: { fileForSearch } };
