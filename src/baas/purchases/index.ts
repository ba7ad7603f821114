export { PLAY_SCOPE } from "./google-play.ts";
export { cancelSubscription, refreshDueSubscriptions, validatePurchase } from "./purchases.ts";
export type { PurchaseGrant, PurchaseGrants, Purchases } from "./purchases.ts";
