export { PLAY_SCOPE } from "./google-play.ts";
export { cancelSubscription, refreshDueSubscriptions, openPurchases, validatePurchase } from "./purchases.ts";
export type { PurchaseGrant, PurchaseGrants, Purchases } from "./purchases.ts";
