/** The mails that accounts write. */
export type Letter =
  | "confirm"
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
  | "approved"
  | "declined"
  | "limited"
  | "suspended"
  | "sanctionOver"
  | "sanctionStays"
  | "pictureTaken"
  | "exportReady";

/** `{community}`, `{name}`, `{username}`, `{device}`, `{provider}`, `{when}`, `{email}`, `{reason}` and `{until}` are filled in; a line with a word that is not given is left out. A button leads to the letter's link. */
export type Words = {
  hello: string;
  /** At the end: why this mail came. */
  why: string;
  letters: Record<Letter, { subject: string; lines: string[]; button?: string }>;
};
