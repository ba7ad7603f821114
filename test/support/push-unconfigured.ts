import type { PushProviders } from "#baas/devices";

/** Without mobile push providers; web push accepts everything. */
export const NO_PUSH_PROVIDERS: PushProviders = { apns: null, fcm: null, web: { send: async () => "sent" } };
