import type { Fetcher } from "#platform/fetcher";
import { type AccountsContext, findApiIdentityByPerson } from "#community/accounts";
import { isSignedIn, type SignedIn } from "#community/rules";
import { Refusal } from "#platform/refusal";
import { assertCanManageWebhooks } from "./webhooks.ts";
import type { ClaimedDelivery } from "./claim-deliveries.ts";
import { PAYLOAD_VERSION, readWebhookRecord } from "./webhook-payload.ts";
import { signMessage } from "./webhook-secrets.ts";

export type SenderContext = Pick<AccountsContext, "database" | "settings" | "now" | "sealer"> & {
  fetcher: Pick<Fetcher, "exchange">;
};

/**
 * Result of one attempt. `invisible`: the owner may not see the content, so nothing is sent. `rights`: the
 * owner may no longer manage the webhook.
 */
export type AttemptResult =
  | { outcome: "invisible" }
  | { outcome: "rights" }
  | ({ outcome: "called" } & WebhookCall);

/** A call that was made, with its answer; without one, `status` is null and `error` says why. */
export type WebhookCall = {
  status: number | null;
  retryAfter: number | null;
  error: string | null;
  requestBody: string;
  responseBody: string;
  duration: number;
};

/** Makes one attempt: reads the content as the owner may see it now, signs it and sends it. */
export async function sendDelivery(app: SenderContext, delivery: ClaimedDelivery): Promise<AttemptResult> {
  const owner = await findOwner(app, delivery);
  if (!owner) return { outcome: "rights" };
  const data =
    delivery.change === null
      ? { message: "This is a test." }
      : await readWebhookRecord(app.database.db, owner, delivery.change);
  if (data === null) return { outcome: "invisible" };
  const body = JSON.stringify({
    version: PAYLOAD_VERSION,
    type: delivery.event,
    timestamp: new Date(delivery.happenedAt).toISOString(),
    // Receivers that post in answer to a call can ignore what bots have posted.
    ...(delivery.byBot && { bot: true }),
    data,
  });
  const now = app.now();
  const { secret, previousSecret, previousUntil } = delivery;
  const secrets =
    previousSecret && previousUntil && previousUntil > now ? [secret, previousSecret] : [secret];
  const headers = {
    ...signMessage(app.sealer, secrets, { id: delivery.id, at: now, body }),
    "content-type": "application/json",
    "user-agent": "Kith webhooks",
  };
  const call = { status: null, retryAfter: null, error: null, requestBody: body, responseBody: "" };
  const started = performance.now();
  const answer = await app.fetcher.exchange(delivery.url, { headers, body: Buffer.from(body) }).then(
    ({ text, ...it }) => ({ ...call, ...it, responseBody: text }),
    (error: unknown) => ({ ...call, error: error instanceof Error ? error.message : String(error) }),
  );
  return { outcome: "called", ...answer, duration: Math.round(performance.now() - started) };
}

/** The owner as viewer; null once they may not manage the webhook. */
async function findOwner(
  app: SenderContext,
  { ownerId, groupId }: Pick<ClaimedDelivery, "ownerId" | "groupId">,
): Promise<SignedIn | null> {
  const viewer = (await findApiIdentityByPerson(app, ownerId))?.viewer;
  if (!viewer || !isSignedIn(viewer)) return null;
  try {
    return await assertCanManageWebhooks(app.database.db, viewer, { groupId });
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}
