export { createApnsClient, readApnsKey } from "./apns.ts";
export type { ApnsClient, ApnsOptions, ApnsNotification } from "./apns.ts";
export { FCM_SCOPE, createFcmClient } from "./fcm.ts";
export type { FcmClient, FcmMessage } from "./fcm.ts";
export type { PushOutcome } from "./push-outcome.ts";
