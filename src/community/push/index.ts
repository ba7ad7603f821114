export {
  NewSubscription,
  listPushDevices,
  setPushTextShown,
  subscribeToPush,
  unsubscribeFromPush,
} from "./push-subscriptions.ts";
export type { PushDevice } from "./push-subscriptions.ts";
export { enqueuePushes, sendPush } from "./send-push.ts";
export type { PushSendContext } from "./send-push.ts";
