import { cancelSubscription, validatePurchase } from "#backend/purchases";
import { countPurchases } from "./counting.ts";
import type { Call, Route } from "./route.ts";

const boughtIn = ({ params }: Call) => ({
  packageName: params["packageName"] ?? "",
  product: params["product"] ?? "",
  token: params["token"] ?? "",
});
const askingIn = ({ caller }: Call) => ({ personId: caller.viewer.id });

const validate =
  (kind: "product" | "subscription"): Route["handle"] =>
  async (call) => {
    await countPurchases(call.house, call.caller, call.request);
    return validatePurchase(call.house.purchases, { kind, ...boughtIn(call) }, askingIn(call));
  };

const SUBSCRIPTION = "/commerce/googleplay/:packageName/subscription/:product/purchases/:token";

/** Google Play purchases: the store's answers, unchanged. */
export const commerceRoutes: Route[] = [
  { method: "GET", path: "/commerce/googleplay/validate/:packageName/inapp/:product/purchases/:token", handle: validate("product") },
  { method: "GET", path: SUBSCRIPTION, handle: validate("subscription") },
  {
    method: "POST",
    path: `${SUBSCRIPTION}/cancel`,
    async handle(call) {
      await countPurchases(call.house, call.caller, call.request);
      const operator = call.caller.key === "server" && call.caller.session === null;
      return cancelSubscription(call.house.purchases, boughtIn(call), { ...askingIn(call), operator });
    },
  },
];
