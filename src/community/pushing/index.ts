export { NewSubscription, pushDevices, showTextOn, subscribe, unsubscribe } from "./subscriptions.ts";
export type { PushDevice } from "./subscriptions.ts";
export { pushDue, pushOne } from "./due.ts";
export type { PushHouse } from "./due.ts";
