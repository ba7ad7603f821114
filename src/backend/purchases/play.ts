import type { Answer, Google } from "#platform/google";
import { Refusal } from "#platform/refusal";
import { z } from "zod";

/** What was bought in Google Play, as the Android Publisher API names it. */
export type Bought = { kind: "product" | "subscription"; packageName: string; product: string; token: string };
/** Where a purchase stands, and until when; null: without an end. */
export type Standing = { state: "active" | "pending" | "ended"; until: Date | null };

/** https://developers.google.com/android-publisher/api-ref/rest/v3 */
const ROOT = "https://androidpublisher.googleapis.com/androidpublisher/v3/applications";
export const PLAY_SCOPE = "https://www.googleapis.com/auth/androidpublisher";

const millis = z.coerce.number().int().min(0).max(8_640_000_000_000_000);
/** purchases.products: 0 is bought, 1 cancelled, 2 pending. */
const Product = z.object({ purchaseState: z.int() });
/** purchases.subscriptions: what was cancelled holds until it expires. */
const Subscription = z.object({ expiryTimeMillis: millis });

const part = encodeURIComponent;
const addressOf = ({ kind, packageName, product, token }: Bought) =>
  `${ROOT}/${part(packageName)}/purchases/${kind}s/${part(product)}/tokens/${part(token)}`;

/** What Google says of a purchase, as it says it. Throws as `answerOf` does. */
export const purchaseAt = async (google: Google, bought: Bought): Promise<unknown> =>
  answerOf(await asked(() => google.ask("GET", addressOf(bought))));

/** Ends a subscription: it is not renewed any more. Gives what Google answers, which is nothing. */
export const cancelAt = async (google: Google, bought: Bought): Promise<unknown> =>
  answerOf(await asked(() => google.ask("POST", `${addressOf(bought)}:cancel`)));

/** Where a purchase stands by what Google said of it. Throws `unavailable` for words that we do not know. */
export function standingIn(kind: Bought["kind"], said: unknown, now: Date): Standing {
  if (kind === "product") {
    const { purchaseState } = understood(Product, said);
    return { state: purchaseState === 0 ? "active" : purchaseState === 2 ? "pending" : "ended", until: null };
  }
  const until = new Date(understood(Subscription, said).expiryTimeMillis);
  return { state: until > now ? "active" : "ended", until };
}

function understood<T extends z.ZodType>(schema: T, said: unknown): z.output<T> {
  const read = schema.safeParse(said);
  if (!read.success) throw new Refusal("unavailable", "Google Play answered something that cannot be read.");
  return read.data;
}

async function asked(work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch {
    // Its error holds what was sent, the token of the account too.
    throw new Refusal("unavailable", "Google Play does not answer, or does not know our service account.");
  }
}

/** What a good answer says. Throws `not-found` for no such purchase, `invalid` for what Google refuses, `unavailable` otherwise. */
function answerOf({ status, body }: Answer): unknown {
  if (status >= 200 && status < 300) return body;
  if (status === 401 || status === 403)
    throw new Refusal("unavailable", "Google Play does not let our service account see purchases of this application.");
  if (status === 404 || status === 410) throw new Refusal("not-found", "Google Play knows no such purchase.");
  if (status === 429 || status >= 500) throw new Refusal("unavailable", "Google Play cannot answer just now.");
  throw new Refusal("invalid", `Google Play refuses this: ${messageIn(body)}`);
}

const Fault = z.object({ error: z.object({ message: z.string() }) });
const messageIn = (body: unknown) => Fault.safeParse(body).data?.error.message.slice(0, 300) ?? "it does not say why.";
