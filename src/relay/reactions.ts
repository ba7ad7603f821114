import { endWhatIsOver, ENDING, tellOf, TOLD } from "#community/notifications";
import { AUTOMATED_BY } from "#community/published";
import { HEARD } from "#backend/flows";
import type { Database } from "#platform/database";
import type { Happening, Told } from "#platform/outbox";

/** What reactions may call. `src/app.ts` hands it in. */
export type RelayHouse = {
  database: Database;
  /** Settings are kept per process: they are read anew. */
  settingsChanged: () => void;
  /** Shows it on open pages, unless it has been shown already by the process that committed it. */
  show: (happening: Happening, id: string) => void;
  /** Puts down that these are to be found as they are now. */
  file: (happenings: readonly Happening[]) => Promise<void>;
  /** Starts what is to be done by itself when that happens. */
  startFlows: (happening: Happening, id: string) => Promise<void>;
  /** Takes back what somebody has scheduled for later. */
  withdraw: (personId: string) => Promise<unknown>;
  /** Writes to somebody what was decided about their account; once for each id. */
  tellOfStatus: (told: { id: string; personId: string; state: string; lifted: boolean; at: Date }) => Promise<void>;
  tellOfAppeal: (told: { id: string; personId: string; reportId: string }) => Promise<void>;
};
export type Reaction = (house: RelayHouse, happening: Happening, told: Told) => Promise<void>;
/** What follows from anything, and costs the same for many at once: it is done once a round. */
export type SharedReaction = (house: RelayHouse, happenings: readonly Happening[]) => Promise<void>;
export type Following = { each: Record<string, Record<string, Reaction>>; together: Record<string, SharedReaction> };

/** The net below what is told right after the commit: of a process that has no sockets, or that ended too soon. */
const showOnSockets: Reaction = async (house, happening, { id }) => house.show(happening, id);
const readSettingsAnew: Reaction = async (house) => house.settingsChanged();
/** Rows for whom it concerns, and an end to those that are over. */
const notify: Reaction = ({ database }, _happening, told) => tellOf(database, told);
const endNotifications: Reaction = ({ database }, happening) => endWhatIsOver(database, happening);

/** Flows that listen to it begin, or go on. */
const startFlows: Reaction = (house, happening, { id }) => house.startFlows(happening, id);

/** Who is shut out, or has left, says nothing later either. */
const withdraw: Reaction = async (house, { state, personId }) => {
  if (state === undefined || state === "suspended") await house.withdraw(String(personId));
};

/** By a mail of its own: whoever is shut out reads nothing else, and whoever was limited is to know why. */
const tellThem: Reaction = async (house, { personId, state, lifted }, { id, at }) =>
  house.tellOfStatus({ id, at, personId: String(personId), state: String(state), lifted: lifted === true });
const tellThatItStays: Reaction = async (house, { personId, reportId }, { id }) =>
  house.tellOfAppeal({ id, personId: String(personId), reportId: String(reportId) });

/** What is found follows what is there, a moment later. */
const fileForSearch: SharedReaction = (house, happenings) => house.file(happenings);

/**
 * Everything that follows from what happened, on one screen. Each may run twice without harm: a reaction that failed
 * runs again, and so does one whose process died before it was written down. Under `*` stands what follows from anything;
 * what is done together comes after all of these.
 */
const following: Record<string, Record<string, Reaction>> = {
  "*": { showOnSockets },
  "settings.changed": { readSettingsAnew },
  // What a community says of itself can come with its past, and go with it.
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
