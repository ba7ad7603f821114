/** Time and ids are handed in: a test says what time it is, and a transaction has one moment. */
export type World = {
  now: () => Date;
  /** A new UUIDv7: sorts by age. */
  newId: () => string;
};

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** The moment `ms` milliseconds after `from`. */
export const later = (from: Date, ms: number) => new Date(from.getTime() + ms);
