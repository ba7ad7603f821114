import type { Ways } from "#backend/devices";

/** An operator who has set no way to devices up, and browsers that take everything. */
export const NO_WAYS: Ways = { apns: null, fcm: null, web: { send: async () => "sent" } };
