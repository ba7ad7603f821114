export { openApns, readApnsKey } from "./apns.ts";
export type { Apns, ApnsOptions, AppleNote } from "./apns.ts";
export { FCM_SCOPE, openFcm } from "./fcm.ts";
export type { Fcm, FcmNote } from "./fcm.ts";
export type { Outcome } from "./outcome.ts";
