import type { BrowserSubscription } from "#platform/web-push";
import { z } from "zod";

const base64Bytes = (count: number) =>
  z
    .string()
    .refine((text) => /^[\w-]{1,100}={0,2}$/.test(text) && Buffer.from(text, "base64url").length === count);

/** Result of the browser's `PushSubscription.toJSON()`. */
const SubscriptionInput = z.object({
  endpoint: z
    .string()
    .max(1_000)
    .refine((text) => URL.canParse(text) && new URL(text).protocol === "https:"),
  keys: z.object({ p256dh: base64Bytes(65), auth: base64Bytes(16) }),
});

/** Parses the subscription that a browser sends as its token; null if invalid. */
export function parseSubscription(token: string): BrowserSubscription | null {
  try {
    const { endpoint, keys } = SubscriptionInput.parse(JSON.parse(token));
    return { endpoint, publicKey: keys.p256dh, auth: keys.auth };
  } catch {
    return null;
  }
}
