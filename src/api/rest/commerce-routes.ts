import { cancelSubscription, validatePurchase } from "#baas/purchases";
import { countPurchaseCall } from "./call-limits.ts";
import type { Call, Route } from "./rest-route.ts";

const readPurchase = ({ params }: Call) => ({
  packageName: params["packageName"] ?? "",
  product: params["product"] ?? "",
  token: params["token"] ?? "",
});
const purchaserOf = ({ caller }: Call) => ({ personId: caller.viewer.id });

const createValidator =
  (kind: "product" | "subscription"): Route["handle"] =>
  async (call) => {
    await countPurchaseCall(call.app, call.caller, call.request);
    return validatePurchase(call.app.purchases, { kind, ...readPurchase(call) }, purchaserOf(call));
  };

const SUBSCRIPTION_PATH = "/commerce/googleplay/:packageName/subscription/:product/purchases/:token";

/** Google Play purchases: the store's answers, unchanged. */
export const commerceRoutes: Route[] = [
  {
    method: "GET",
    path: "/commerce/googleplay/validate/:packageName/inapp/:product/purchases/:token",
    handle: createValidator("product"),
  },
  { method: "GET", path: SUBSCRIPTION_PATH, handle: createValidator("subscription") },
  {
    method: "POST",
    path: `${SUBSCRIPTION_PATH}/cancel`,
    async handle(call) {
      await countPurchaseCall(call.app, call.caller, call.request);
      const operator = call.caller.key === "server" && call.caller.session === null;
      return cancelSubscription(call.app.purchases, readPurchase(call), { ...purchaserOf(call), operator });
    },
  },
];
