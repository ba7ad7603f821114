import type { SignedIn } from "#community/rules";
import type { AddressConfirmationResult, AddressConfirmationProof } from "../types.ts";
import type { BoundCommand } from "../accounts-context.ts";
import {
  changeEmail,
  changePassword,
  changeUsername,
  confirmNewEmail,
  deactivateAccount,
  type AfterErasure,
} from "./account-changes.ts";
import { completeExport } from "./personal-export-requests.ts";

export type OwnAccountCommands = {
  /**
   * Changes the password and ends every other session.
   * @throws `invalid` on `current` or `password`
   */
  changePassword: (
    viewer: SignedIn,
    input: { current: string; password: string },
    keepSessionId: string | null,
  ) => Promise<void>;
  /**
   * Sends a link to the new address, which replaces the old one once confirmed.
   * @throws `invalid` on `password` or `email`
   */
  changeEmail: (viewer: SignedIn, input: { email: string; password: string }) => Promise<void>;
  /**
   * Confirms a new address for a person who is signed in to the account or gives its password.
   * @throws `gone`, `invalid` on `password`
   */
  confirmNewEmail: (token: string, by: AddressConfirmationProof) => Promise<AddressConfirmationResult>;
  /**
   * Changes the username; the former one keeps redirecting.
   * @throws `too-many` within 30 days, `conflict` when it is taken
   */
  changeUsername: (viewer: SignedIn, username: string) => Promise<void>;
  /**
   * Deactivates the account: signs out everywhere, hides it, and erases it after 30 days, with or without its
   * content. Signing in before that undoes it.
   */
  deactivate: (viewer: SignedIn, password: string, leaving?: AfterErasure) => Promise<void>;
  /** Marks a personal export as ready and notifies its owner. */
  completeExport: (made: { id: string; hash: string; size: number }) => Promise<void>;
};

export const createOwnAccountCommands = (of: BoundCommand): OwnAccountCommands => ({
  changePassword: of(changePassword),
  changeEmail: of(changeEmail),
  confirmNewEmail: of(confirmNewEmail),
  changeUsername: of(changeUsername),
  deactivate: of(deactivateAccount),
  completeExport: of(completeExport),
});
