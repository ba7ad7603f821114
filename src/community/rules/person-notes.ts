import { isSignedIn, isStaff, type Viewer } from "./viewer.ts";

/** Permissions of internal notes on people. Group moderators have none. */
export const personNoteRules = {
  /** Whether the viewer may read and write notes on the person: staff, except on themselves. */
  read: (viewer: Viewer, personId: string) => isSignedIn(viewer) && isStaff(viewer) && viewer.id !== personId,
  /** Whether the viewer may delete a note that they may read. */
  delete: (viewer: Viewer, note: { authorId: string | null }) =>
    viewer.role === "admin" || (viewer.id !== null && viewer.id === note.authorId),
};
