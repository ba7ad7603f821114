import type { GoogleResponse, GoogleClient } from "#platform/google";
import { msg } from "#platform/messages";
import { Refusal } from "#platform/refusal";
import { z } from "zod";

/** A purchase in Google Play, named as in the Android Publisher API. */
export type StorePurchase = {
  kind: "product" | "subscription";
  packageName: string;
  product: string;
  token: string;
};
/** The state of a purchase, and until when it is valid; null means without end. */
export type PurchaseStatus = { state: "active" | "pending" | "ended"; until: Date | null };

/** https://developers.google.com/android-publisher/api-ref/rest/v3 */
const API_ROOT = "https://androidpublisher.googleapis.com/androidpublisher/v3/applications";
export const PLAY_SCOPE = "https://www.googleapis.com/auth/androidpublisher";

const millis = z.coerce.number().int().min(0).max(8_640_000_000_000_000);
/** Format of purchases.products: 0 is purchased, 1 cancelled, 2 pending. */
const Product = z.object({ purchaseState: z.int() });
/** Format of purchases.subscriptions. A cancelled subscription stays valid until it expires. */
const Subscription = z.object({ expiryTimeMillis: millis });

const encodePart = encodeURIComponent;
const purchaseUrl = ({ kind, packageName, product, token }: StorePurchase) =>
  `${API_ROOT}/${encodePart(packageName)}/purchases/${kind}s/${encodePart(product)}/tokens/${encodePart(token)}`;

/**
 * Returns Google's answer about a purchase, unchanged.
 * @throws as `readAnswer` does
 */
export const fetchPurchase = async (google: GoogleClient, bought: StorePurchase): Promise<unknown> =>
  readAnswer(await requestPlay(() => google.ask("GET", purchaseUrl(bought))));

/** Cancels the renewal of a subscription. Google's answer is empty. */
export const cancelPlaySubscription = async (google: GoogleClient, bought: StorePurchase): Promise<unknown> =>
  readAnswer(await requestPlay(() => google.ask("POST", `${purchaseUrl(bought)}:cancel`)));

/**
 * Reads the state of a purchase from Google's answer.
 * @throws `unavailable` for an unknown format
 */
export function readPurchaseStatus(kind: StorePurchase["kind"], answer: unknown, now: Date): PurchaseStatus {
  if (kind === "product") {
    const { purchaseState } = parseAnswer(Product, answer);
    return { state: purchaseState === 0 ? "active" : purchaseState === 2 ? "pending" : "ended", until: null };
  }
  const until = new Date(parseAnswer(Subscription, answer).expiryTimeMillis);
  return { state: until > now ? "active" : "ended", until };
}

function parseAnswer<T extends z.ZodType>(schema: T, answer: unknown): z.output<T> {
  const parsed = schema.safeParse(answer);
  if (!parsed.success) throw new Refusal("unavailable", "Google Play sent an unreadable response.");
  return parsed.data;
}

async function requestPlay(work: () => Promise<GoogleResponse>): Promise<GoogleResponse> {
  try {
    return await work();
  } catch {
    // The original error is not passed on, because it contains the request with the account's token.
    throw new Refusal(
      "unavailable",
      "Google Play is not responding, or does not accept the service account.",
    );
  }
}

/**
 * Returns the body of a successful answer.
 * @throws `not-found` for an unknown purchase, `invalid` if Google refuses, `unavailable` otherwise
 */
function readAnswer({ status, body }: GoogleResponse): unknown {
  if (status >= 200 && status < 300) return body;
  if (status === 401 || status === 403)
    throw new Refusal("unavailable", "The service account may not read purchases of this application.");
  if (status === 404 || status === 410) throw new Refusal("not-found", "Google Play has no such purchase.");
  if (status === 429 || status >= 500)
    throw new Refusal("unavailable", "Google Play is not available right now.");
  throw new Refusal(
    "invalid",
    msg("Google Play refused the request: {reason}", { reason: readErrorMessage(body) }),
  );
}

const Fault = z.object({ error: z.object({ message: z.string() }) });
const readErrorMessage = (body: unknown) =>
  Fault.safeParse(body).data?.error.message.slice(0, 300) ?? "no reason was given.";
