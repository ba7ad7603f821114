export const ACCOUNT_STATES = [
  "pending_approval",
  "active",
  "limited",
  "suspended",
  "unverified",
  "deactivated",
  "ghost",
  "guest",
  "staff",
] as const;
export const ACCOUNT_ROLES = ["member", "moderator", "admin"] as const;
/**
 * Durations of a sanction in days; empty means until the sanction is lifted. Moderators can choose only the
 * first four.
 */
export const SANCTION_DAYS = ["1", "3", "7", "30", "90", ""] as const;
export const MODERATOR_SANCTION_DAYS = SANCTION_DAYS.slice(0, 4);

/** Parses the account state in a URL; undefined if unknown. */
export const parseAccountState = (text: string) => ACCOUNT_STATES.find((it) => it === text);
