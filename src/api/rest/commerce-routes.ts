import { cancelSubscription, validatePurchase } from "#baas/purchases";
import { z } from "zod";
import { countPurchaseCall } from "./call-limits.ts";
import { defineEndpoint } from "./endpoint.ts";
import type { Call } from "./rest-route.ts";
import { AnyJson } from "./shapes.ts";

type PurchaseParams = Record<"packageName" | "product" | "token", string>;
const readPurchase = ({ packageName, product, token }: PurchaseParams) => ({ packageName, product, token });
const purchaserOf = ({ caller }: Pick<Call, "caller">) => ({ personId: caller.viewer.id });

/** Each of these calls makes a request to the store, so all are counted. */
const prepare = (call: Call) => countPurchaseCall(call.app, call.caller, call.request);

const PRODUCT_PATH = "/commerce/googleplay/validate/:packageName/inapp/:product/purchases/:token";
const SUBSCRIPTION_PATH = "/commerce/googleplay/:packageName/subscription/:product/purchases/:token";
const PurchaseState = z.looseObject({}).meta({ id: "Purchase", description: "As returned by Google Play." });
const params = { packageName: "org.example.app", product: "gold", token: "purchase-token" };

/** Endpoints for Google Play purchases. They return the store's answers unchanged. */
export const commerceEndpoints = [
  defineEndpoint({
    method: "GET",
    path: PRODUCT_PATH,
    summary: "Checks the purchase of a product.",
    prepare,
    response: PurchaseState,
    example: { params },
    handle: (call) =>
      validatePurchase(
        call.app.purchases,
        { kind: "product", ...readPurchase(call.params) },
        purchaserOf(call),
      ),
  }),
  defineEndpoint({
    method: "GET",
    path: SUBSCRIPTION_PATH,
    summary: "Checks a subscription.",
    prepare,
    response: PurchaseState,
    example: { params },
    handle: (call) =>
      validatePurchase(
        call.app.purchases,
        { kind: "subscription", ...readPurchase(call.params) },
        purchaserOf(call),
      ),
  }),
  defineEndpoint({
    method: "POST",
    path: `${SUBSCRIPTION_PATH}/cancel`,
    summary:
      "Cancels a subscription, which stays valid until it expires: for the person who presented it " +
      "first, and with the server key.",
    permission: {
      name: "the person who presented the purchase first, and the server key",
      caller: "server key",
      refusal: { status: 403, code: 403 },
    },
    prepare,
    response: AnyJson,
    example: { params },
    handle(call) {
      const operator = call.caller.key === "server" && call.caller.session === null;
      return cancelSubscription(call.app.purchases, readPurchase(call.params), {
        ...purchaserOf(call),
        operator,
      });
    },
  }),
];
