import type { Subscription } from "#platform/push";
import { z } from "zod";

const bytes = (count: number) =>
  z.string().refine((text) => /^[\w-]{1,100}={0,2}$/.test(text) && Buffer.from(text, "base64url").length === count);

/** As in `PushSubscription.toJSON()`. */
const Given = z.object({
  endpoint: z
    .string()
    .max(1_000)
    .refine((text) => URL.canParse(text) && new URL(text).protocol === "https:"),
  keys: z.object({ p256dh: bytes(65), auth: bytes(16) }),
});

/** The subscription in a browser's token; null if invalid. */
export function subscriptionIn(token: string): Subscription | null {
  try {
    const { endpoint, keys } = Given.parse(JSON.parse(token));
    return { endpoint, publicKey: keys.p256dh, auth: keys.auth };
  } catch {
    return null;
  }
}
