/**
 * The post's number (null for a pending post), its unresolved mentions, and its discussion, which may have
 * been merged.
 */
export type Sent = { number: number | null; plain: string[]; discussionId?: string };
/**
 * Outcome of one submission; on failure, the reason of the refusal (`failed`) and, if known, the seconds
 * until a retry makes sense.
 */
export type Outcome = Sent | { failed: string; sentence: string | null; retryAfter?: number };

/**
 * Delays (ms) before a request without a usable response is repeated; its client id makes sure that it is
 * stored once.
 */
const AGAIN = [400, 1_200, 3_000];

/**
 * Sends one submission until there is a response. Gives up after four attempts without one (`lost`) or with a
 * server error (`broken`). `pause` waits for so many milliseconds.
 */
export async function deliver(send: () => Promise<Response>, pause: (ms: number) => Promise<void>): Promise<Outcome> {
  for (const wait of AGAIN) {
    const outcome = await once(send);
    if (!("failed" in outcome) || (outcome.failed !== "lost" && outcome.failed !== "broken")) return outcome;
    await pause(wait);
  }
  return once(send);
}

async function once(send: () => Promise<Response>): Promise<Outcome> {
  const answer = await send().catch(() => null);
  if (answer === null) return { failed: "lost", sentence: null };
  const said: unknown = await answer.json().catch(() => null);
  if (answer.ok) return isSent(said) ? said : { failed: "lost", sentence: null };
  const { reason, message, retryAfter } = refusedIn(said);
  const wait = Number(retryAfter ?? answer.headers.get("retry-after"));
  return { failed: reason ?? BY_STATUS[answer.status] ?? "broken", sentence: message, ...(wait > 0 && { retryAfter: wait }) };
}

/** For responses that come before any route runs. */
const BY_STATUS: Record<number, string> = { 401: "not-signed-in", 403: "not-allowed", 404: "not-found", 413: "too-large", 429: "too-many" };

const isSent = (said: unknown): said is Sent => typeof said === "object" && said !== null && "number" in said && "plain" in said;

function refusedIn(said: unknown): { reason: string | null; message: string | null; retryAfter?: unknown } {
  const refused = typeof said === "object" && said !== null && "refused" in said ? said.refused : null;
  if (typeof refused !== "object" || refused === null || !("reason" in refused) || !("message" in refused))
    return { reason: null, message: null };
  const fields = "fields" in refused ? Object.values(refused.fields as Record<string, string>) : [];
  const retryAfter = "retryAfter" in refused ? refused.retryAfter : undefined;
  return { reason: String(refused.reason), message: fields[0] ?? String(refused.message), retryAfter };
}
