import { WebhookSender } from "#community/webhooks";
import { SECOND } from "#platform/clock";
import { createFetcher } from "#platform/fetcher";
import type { AppContext } from "./app.ts";

/** Milliseconds that a receiver has to answer. */
const RECEIVER_TIMEOUT = 10 * SECOND;
/** Milliseconds in which the dispatcher completes the batch to which a queued event belongs. */
const BATCH_TIME = 30;

export type WebhookSending = { wake: () => void; stop: () => Promise<void> };

/** Sends webhooks in this process until `stop` is called. Call `wake` when something was queued. */
export function startWebhookSending(
  app: Pick<AppContext, "database" | "settings" | "now" | "sealer" | "log">,
  fetcher = createFetcher({ timeout: RECEIVER_TIMEOUT }),
): WebhookSending {
  const sender = new WebhookSender({ ...app, fetcher });
  return { wake: () => void setTimeout(sender.wake, BATCH_TIME).unref(), stop: () => sender.stop() };
}
