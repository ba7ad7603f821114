/**
 * Clock and ids are passed in, so that a test can set the time and a transaction uses one timestamp
 * throughout.
 */
export type Runtime = {
  now: () => Date;
  /** Returns a new UUIDv7; such ids sort by age. */
  newId: () => string;
};

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Adds `ms` milliseconds to `from`. */
export const addMilliseconds = (from: Date, ms: number) => new Date(from.getTime() + ms);
