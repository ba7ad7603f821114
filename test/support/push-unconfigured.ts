import type { PushProviders } from "#baas/devices";

/** Providers of an installation without mobile push; its web push accepts every message. */
export const NO_PUSH_PROVIDERS: PushProviders = { apns: null, fcm: null, web: { send: async () => "sent" } };
