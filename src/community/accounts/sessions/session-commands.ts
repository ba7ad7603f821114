import type { SignedIn } from "#community/rules";
import type { SessionKind, SessionIdentity, ApiIdentity, SessionEntry } from "../types.ts";
import type { BoundCommand } from "../accounts-context.ts";
import {
  endOtherSessions,
  endSession,
  filterAdmins,
  filterLiveSessions,
  findApiIdentityByPerson,
  findApiIdentity,
  findApiIdentityBySession,
  findSessionById,
  findSessionByTicket,
  findSession,
  listSessions,
  signOut,
  createSocketTicket,
} from "./sessions.ts";

export type SessionCommands = {
  /** Identity behind a session token, in one query; null for an invalid or ended session. */
  findSession: (token: string, sessionKind: SessionKind) => Promise<SessionIdentity | null>;
  /** Person and roles behind an API client's session token, in one query. */
  findApiIdentity: (token: string) => Promise<ApiIdentity | null>;
  /** The same by person id, for work that runs later; null for erased, suspended or deactivated people. */
  findApiIdentityByPerson: (personId: string) => Promise<Pick<ApiIdentity, "viewer" | "roles"> | null>;
  /** The same by session id, for either session kind. */
  findApiIdentityBySession: (sessionId: string) => Promise<ApiIdentity | null>;
  /** Ticket that the page sends to its socket instead of the cookie, valid for a minute. */
  createSocketTicket: (sessionId: string) => string;
  /** Identity of a socket ticket; null for an invalid or expired ticket, or an ended session. */
  findSessionByTicket: (ticket: string) => Promise<SessionIdentity | null>;
  /**
   * Identity of a session by its id. The id is no secret: the caller must have proof that it was issued to
   * this person. Null once the session has ended.
   */
  findSessionById: (id: string) => Promise<SessionIdentity | null>;
  /** Returns those people who are admins now, in one query. */
  filterAdmins: (personIds: string[]) => Promise<Set<string>>;
  /** Returns those sessions that are still valid, in one query. */
  filterLiveSessions: (sessionIds: string[]) => Promise<Set<string>>;
  signOut: (token: string, sessionKind: SessionKind) => Promise<void>;
  listSessions: (viewer: SignedIn) => Promise<SessionEntry[]>;
  /** @throws `not-found` when the session is not the viewer's */
  endSession: (viewer: SignedIn, sessionId: string) => Promise<void>;
  endOtherSessions: (viewer: SignedIn, keepSessionId: string | null) => Promise<void>;
};

export const createSessionCommands = (of: BoundCommand): SessionCommands => ({
  findSession: of(findSession),
  findApiIdentity: of(findApiIdentity),
  findApiIdentityByPerson: of(findApiIdentityByPerson),
  findApiIdentityBySession: of(findApiIdentityBySession),
  createSocketTicket: of(createSocketTicket),
  findSessionByTicket: of(findSessionByTicket),
  findSessionById: of(findSessionById),
  filterAdmins: of(filterAdmins),
  filterLiveSessions: of(filterLiveSessions),
  signOut: of(signOut),
  listSessions: of(listSessions),
  endSession: of(endSession),
  endOtherSessions: of(endOtherSessions),
});
