export { NewSubscription, listPushDevices, setPushTextShown, subscribeToPush, unsubscribeFromPush } from "./subscriptions.ts";
export type { PushDevice } from "./subscriptions.ts";
export { enqueuePushes, sendPush } from "./due.ts";
export type { PushSendContext } from "./due.ts";
