import type { Ways } from "#backend/devices";

/** Without mobile push providers; web push accepts everything. */
export const NO_WAYS: Ways = { apns: null, fcm: null, web: { send: async () => "sent" } };
