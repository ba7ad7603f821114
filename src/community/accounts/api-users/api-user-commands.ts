import type { Tx } from "#platform/database";
import type { Viewer } from "#community/rules";
import type { ClientInfo, StartedSession } from "../types.ts";
import type { BoundCommand } from "../accounts-context.ts";
import {
  type ChangePlan,
  changeApiUser,
  changeApiUserWithin,
  type ChangeContext,
  planApiUserChange,
  type ApiUserChanges,
} from "./change-api-user.ts";
import {
  resendConfirmationTo,
  createConfirmationLink,
  signInAs,
  isOwnPassword,
  sendPasswordLink,
  setUserStatus,
} from "./manage-api-users.ts";
import {
  createApiUser,
  type ApiUserInput,
  type NewApiUserOptions,
  type PreparedUser,
  prepareApiUser,
} from "./create-api-user.ts";
import { normalizeProperties } from "./user-properties.ts";
import type { ApiUser } from "./api-users.ts";

export type ApiUserCommands = {
  /**
   * Starts a session for a person without a password, for API clients with the server key.
   * @throws `not-found`, `SignInRefusal`
   */
  signInAs: (viewer: Viewer, personId: string, from: ClientInfo) => Promise<StartedSession>;
  isPasswordCorrect: (viewer: Viewer & { id: string }, password: string) => Promise<boolean>;
  /**
   * Sends the link to set a password to a person named by address, username or id.
   * @throws `not-found`, only where the existence of accounts is not secret
   */
  sendPasswordLink: (viewer: Viewer, identity: string, from: ClientInfo) => Promise<void>;
  confirmAgain: (viewer: Viewer, identity: string, from: ClientInfo) => Promise<void>;
  /** @throws `not-found` for all but API clients with the server key */
  createConfirmationLink: (viewer: Viewer, identity: string) => Promise<string>;
  setUserStatus: (viewer: Viewer, personId: string, status: "ENABLED" | "DISABLED") => Promise<void>;
  /**
   * Changes an account.
   * @throws `not-found` for other people's accounts except for admins, `not-allowed` when the change needs a
   * more recent session
   */
  changeUser: (viewer: Viewer, id: string, changes: ApiUserChanges, by: ChangeContext) => Promise<ApiUser>;
  /**
   * `changeUser` in two parts: checks and hashing beforehand, then the changes in the caller's transaction.
   */
  planChange: (viewer: Viewer, id: string, changes: ApiUserChanges, by: ChangeContext) => Promise<ChangePlan>;
  changeUserWithin: (tx: Tx, viewer: Viewer, plan: ChangePlan) => Promise<void>;
  /** Checks a new API user and hashes the password, before `createApiUser` stores it. */
  prepareUser: (input: ApiUserInput, from: ClientInfo) => Promise<PreparedUser>;
  /** Stores a prepared user in the caller's transaction; returns the id. */
  createUser: (tx: Tx, viewer: Viewer, user: PreparedUser, options: NewApiUserOptions) => Promise<string>;
  /**
   * Normalizes properties that an API client sets on a person; `canAddColumns` creates unknown ones.
   * @throws `invalid`
   */
  normalizeProperties: (
    given: Record<string, unknown>,
    canAddColumns: boolean,
  ) => Promise<Record<string, unknown>>;
};

export const createApiUserCommands = (of: BoundCommand): ApiUserCommands => ({
  signInAs: of(signInAs),
  isPasswordCorrect: of(isOwnPassword),
  sendPasswordLink: of(sendPasswordLink),
  confirmAgain: of(resendConfirmationTo),
  createConfirmationLink: of(createConfirmationLink),
  setUserStatus: of(setUserStatus),
  changeUser: of(changeApiUser),
  planChange: of(planApiUserChange),
  changeUserWithin: of(changeApiUserWithin),
  prepareUser: of(prepareApiUser),
  createUser: of(createApiUser),
  normalizeProperties: of((app, given: Record<string, unknown>, canAddColumns: boolean) =>
    app.inTransaction((tx) => normalizeProperties(tx, given, canAddColumns)),
  ),
});
