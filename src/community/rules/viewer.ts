/** The person for whom a request acts. A guest has no id; a guest account of an API client has one. */
export type Viewer = {
  id: string | null;
  role: "guest" | "member" | "moderator" | "admin";
  trust: "new" | "established";
  /**
   * Whether a sanction limits the person: they can read everything, but write only messages to people they
   * know.
   */
  limited: boolean;
  /** Scopes of the personal access token that the person uses; missing without a token. */
  scopes?: readonly string[];
  /** Groups that the token is limited to; missing without a token and for a token without this limit. */
  groupIds?: readonly string[];
  /** A bot that posts a message; missing for people. */
  isBot?: boolean;
};
export type SignedIn = Viewer & { id: string; role: Exclude<Viewer["role"], "guest"> };

export const GUEST: Viewer = { id: null, role: "guest", trust: "new", limited: false };

/** A holder of the server key, not acting for any person. Has the permissions of an admin. */
export const OPERATOR: Viewer = { id: null, role: "admin", trust: "established", limited: false };

export const isSignedIn = (viewer: Viewer): viewer is SignedIn =>
  viewer.id !== null && viewer.role !== "guest";
export const isStaff = (viewer: Viewer) => viewer.role === "moderator" || viewer.role === "admin";
