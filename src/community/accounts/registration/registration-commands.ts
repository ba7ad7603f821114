import type {
  ConfirmationResult,
  ConfirmationProof,
  SessionKind,
  ClientInfo,
  RegistrationResult,
  RegistrationStatement,
} from "../types.ts";
import type { BoundCommand } from "../accounts-context.ts";
import type { NewAccount } from "../account-forms.ts";
import { confirmEmail, changePendingAddress, resendConfirmation } from "./confirm-email.ts";
import { register, type BotCheck } from "./register.ts";
import { suggestUsername } from "./usernames.ts";
import { needsJoinReason, saveJoinReason } from "./join-reason.ts";

export type RegistrationCommands = {
  /** Value of the hidden field `started` of the registration form. */
  createFormToken: () => string;
  suggestUsername: (name: string) => Promise<string>;
  /**
   * Registers a person. With `guestId` that guest account becomes the new account.
   * @throws `not-allowed` when registration is closed and no valid `invitation` is given (`gone` once it is
   * over), `invalid` by field, `conflict` on `username`
   */
  register: (
    input: NewAccount,
    from: ClientInfo,
    options?: {
      botCheck?: BotCheck;
      guestId?: string | undefined;
      invitation?: string | undefined;
      properties?: Record<string, unknown>;
      statement?: RegistrationStatement;
      sessionKind?: SessionKind;
    },
  ) => Promise<RegistrationResult>;
  /**
   * Opens the account of a confirmation link for the person who proves that the registration is theirs.
   * @throws `gone` for a link that was used, replaced or is older than 48 hours, `invalid` on `password` for
   * a wrong or unsuitable one
   */
  confirmEmail: (token: string, by: ConfirmationProof) => Promise<ConfirmationResult>;
  /**
   * Sends the confirmation again, at most once a minute.
   * @throws `gone` when the registration is no longer open
   */
  resendConfirmation: (pending: string, from: ClientInfo) => Promise<void>;
  /**
   * Returns whether the registration waits for approval and has no join reason yet; people who registered
   * through a sign-in provider have none.
   */
  needsJoinReason: (pending: string) => Promise<boolean>;
  /**
   * Stores the join reason, once.
   * @throws `invalid` on `reason`, `gone` when the registration is no longer open
   */
  saveJoinReason: (pending: string, reason: string) => Promise<void>;
  /** Changes the address before confirmation; the result is the same for a taken address. */
  changePendingAddress: (pending: string, email: string, from: ClientInfo) => Promise<{ pending: string }>;
};

export const createRegistrationCommands = (of: BoundCommand): RegistrationCommands => ({
  createFormToken: of((app) => app.sealer.seal("form", {}, app.now())),
  suggestUsername: of((app, name: string) => suggestUsername(app.database.db, name)),
  register: of(register),
  confirmEmail: of(confirmEmail),
  resendConfirmation: of(resendConfirmation),
  needsJoinReason: of(needsJoinReason),
  saveJoinReason: of(saveJoinReason),
  changePendingAddress: of(changePendingAddress),
});
