import type { SignedIn } from "#community/rules";
import type { BoundCommand } from "../accounts-context.ts";
import {
  type AppealNotice,
  readStandingToken,
  type StatusNotice,
  mailAppealNotice,
  mailStatusNotice,
} from "./own-sanction.ts";
import { approveAccount, declineAccount } from "./account-status.ts";
import { type PictureRemoval, removePersonPicture } from "./remove-person-picture.ts";

export type AccountStatusCommands = {
  /**
   * Removes another person's picture and mails them the reason.
   * @throws `not-found` for all but admins, `invalid` without a reason
   */
  removePersonPicture: (viewer: SignedIn, removal: PictureRemoval) => Promise<void>;
  /**
   * The person behind a standing token (from an email or a refused sign-in), for the page about their account
   * status; null for an invalid token.
   */
  readStandingToken: (token: string) => Promise<SignedIn | null>;
  /** Mails a person that they were limited or suspended, or that it is over; once per domain event. */
  mailStatusNotice: (notice: StatusNotice) => Promise<void>;
  /** Mails a person that their appeal was declined. */
  mailAppealNotice: (notice: AppealNotice) => Promise<void>;
  /**
   * Approves a pending account and mails its person.
   * @throws `not-allowed` for all but staff, `conflict` when the account is not pending
   */
  approve: (viewer: SignedIn, personId: string) => Promise<void>;
  /**
   * Declines a pending account and mails its person, with the reason if there is one.
   * @throws like `approve`
   */
  decline: (viewer: SignedIn, turned: { personId: string; reason: string }) => Promise<void>;
};

export const createAccountStatusCommands = (of: BoundCommand): AccountStatusCommands => ({
  removePersonPicture: of(removePersonPicture),
  readStandingToken: of(readStandingToken),
  mailStatusNotice: of(mailStatusNotice),
  mailAppealNotice: of(mailAppealNotice),
  approve: of(approveAccount),
  decline: of(declineAccount),
});
