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
  sessionFor: (token: string, door: SessionKind) => Promise<SessionIdentity | null>;
  /** Person and roles behind an API client's session token, in one query. */
  programFor: (token: string) => Promise<ApiIdentity | null>;
  /** The same by person id, for work that runs later; null for erased, suspended or deactivated people. */
  programAs: (personId: string) => Promise<Pick<ApiIdentity, "viewer" | "roles"> | null>;
  /** The same by session id, for either session kind. */
  programOfSession: (sessionId: string) => Promise<ApiIdentity | null>;
  /** Ticket that the page sends to its socket instead of the cookie, valid for a minute. */
  socketTicket: (sessionId: string) => string;
  /** Identity of a socket ticket; null for an invalid or expired ticket, or an ended session. */
  sessionByTicket: (ticket: string) => Promise<SessionIdentity | null>;
  /**
   * Identity of a session by its id. The id is no secret: the caller must have proof that it was issued to
   * this person. Null once the session has ended.
   */
  sessionById: (id: string) => Promise<SessionIdentity | null>;
  /** Returns those people who are admins now, in one query. */
  adminsAmong: (personIds: string[]) => Promise<Set<string>>;
  /** Returns those sessions that are still valid, in one query. */
  liveSessions: (sessionIds: string[]) => Promise<Set<string>>;
  signOut: (token: string, door: SessionKind) => Promise<void>;
  sessionsOf: (viewer: SignedIn) => Promise<SessionEntry[]>;
  /** @throws `not-found` when the session is not the viewer's */
  endSession: (viewer: SignedIn, sessionId: string) => Promise<void>;
  endOtherSessions: (viewer: SignedIn, keepSessionId: string | null) => Promise<void>;
};

export const createSessionCommands = (of: BoundCommand): SessionCommands => ({
  sessionFor: of(findSession),
  programFor: of(findApiIdentity),
  programAs: of(findApiIdentityByPerson),
  programOfSession: of(findApiIdentityBySession),
  socketTicket: of(createSocketTicket),
  sessionByTicket: of(findSessionByTicket),
  sessionById: of(findSessionById),
  adminsAmong: of(filterAdmins),
  liveSessions: of(filterLiveSessions),
  signOut: of(signOut),
  sessionsOf: of(listSessions),
  endSession: of(endSession),
  endOtherSessions: of(endOtherSessions),
});
