export type AccountEmailKind =
  | "confirm"
  | "confirmForApproval"
  | "alreadyHere"
  | "connectProvider"
  | "resetPassword"
  | "signInLink"
  | "confirmNewAddress"
  | "addressChanging"
  | "addressChanged"
  | "passwordChanged"
  | "newDevice"
  | "secondStepOn"
  | "secondStepOff"
  | "passkeyAdded"
  | "passkeyRemoved"
  | "tokenCreated"
  | "tokenRevoked"
  | "approved"
  | "declined"
  | "limited"
  | "suspended"
  | "sanctionOver"
  | "sanctionStays"
  | "pictureTaken"
  | "exportReady"
  | "testEmail";

/**
 * `{community}`, `{name}`, `{username}`, `{device}`, `{provider}`, `{when}`, `{email}`, `{reason}` and
 * `{until}` are filled in; a sentence with a missing value is left out. A button leads to the email's link.
 */
export type AccountEmailTexts = {
  hello: string;
  /** Footer: why the person gets this email. */
  why: string;
  letters: Record<AccountEmailKind, { subject: string; lines: string[]; button?: string }>;
};
