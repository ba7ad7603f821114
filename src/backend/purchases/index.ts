export { PLAY_SCOPE } from "./play.ts";
export { cancelSubscription, lookAtDue, openPurchases, validatePurchase } from "./purchases.ts";
export type { Given, Grants, Purchases } from "./purchases.ts";
