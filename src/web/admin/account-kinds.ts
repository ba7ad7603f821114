export const STATES = [
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
export const ROLES = ["member", "moderator", "admin"] as const;
/** Days of a sanction; empty: until it is lifted. The longer ones are for admins. */
export const SPANS = ["1", "3", "7", "30", "90", ""] as const;
export const MODERATORS_SPANS = SPANS.slice(0, 4);

/** The state named in a URL, if it exists. */
export const stateAsked = (text: string) => STATES.find((it) => it === text);
