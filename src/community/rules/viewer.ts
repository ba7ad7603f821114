/** Who asks: everything is loaded as somebody. A guest has no id; a guest account of a program has one. */
export type Viewer = {
  id: string | null;
  role: "guest" | "member" | "moderator" | "admin";
  trust: "new" | "established";
  /** Under a sanction: may read, and write nothing but messages to people they know. */
  limited: boolean;
};
export type SignedIn = Viewer & { id: string; role: Exclude<Viewer["role"], "guest"> };

export const GUEST: Viewer = { id: null, role: "guest", trust: "new", limited: false };

/** Whoever holds the server key and acts for nobody: may what admins may, and is no person. */
export const OPERATOR: Viewer = { id: null, role: "admin", trust: "established", limited: false };

export const isSignedIn = (viewer: Viewer): viewer is SignedIn => viewer.id !== null && viewer.role !== "guest";
export const isStaff = (viewer: Viewer) => viewer.role === "moderator" || viewer.role === "admin";
