import { createChecksumToken, isChecksumToken } from "#platform/ids";

/** Prefix by which people and secret scanners recognize a personal access token. */
const PREFIX = "kith_pat_";

/** Creates a personal access token. */
export const createTokenText = (): string => createChecksumToken(PREFIX);

/** Whether a text has the prefix of personal access tokens. */
export const isAccessToken = (text: string): boolean => text.startsWith(PREFIX);

/** Whether a text has the form of a personal access token and the right checksum. */
export const isTokenWellFormed = (text: string): boolean => isChecksumToken(PREFIX, text);
