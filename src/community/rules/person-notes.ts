import { isSignedIn, isStaff, type Viewer } from "./viewer.ts";

/**
 * Maximum characters of an internal note on a person, and maximum number of notes on each person. Not part of
 * `LIMITS`, which every page loads.
 */
export const PERSON_NOTE_LIMITS = { text: 2_000, count: 100 };

/** Permissions of internal notes on people. Group moderators have none. */
export const personNoteRules = {
  /** Whether the viewer may read and write notes on the person: staff, except on themselves. */
  read: (viewer: Viewer, personId: string) => isSignedIn(viewer) && isStaff(viewer) && viewer.id !== personId,
  /** Whether the viewer may delete a note that they may read. */
  delete: (viewer: Viewer, note: { authorId: string | null }) =>
    viewer.role === "admin" || (viewer.id !== null && viewer.id === note.authorId),
};
