/**
 * The post's number (null for a pending post), its unresolved mentions, and its discussion, which may have
 * been merged.
 */
export type SentPost = { number: number | null; plain: string[]; discussionId?: string };
/**
 * Outcome of one submission; on failure, the reason of the refusal (`failed`) and, if known, the seconds
 * until a retry makes sense.
 */
export type SendOutcome = SentPost | { failed: string; sentence: string | null; retryAfter?: number };

/**
 * Delays (ms) before a request without a usable response is repeated. The client id ensures that the text is
 * stored only once.
 */
const RETRY_DELAYS = [400, 1_200, 3_000];

/**
 * Sends one submission until there is a response. Gives up after four attempts without response (`lost`) or
 * with a server error (`broken`). `pause` waits for a number of milliseconds.
 */
export async function sendWithRetry(
  send: () => Promise<Response>,
  pause: (ms: number) => Promise<void>,
): Promise<SendOutcome> {
  for (const wait of RETRY_DELAYS) {
    const outcome = await sendOnce(send);
    if (!("failed" in outcome) || (outcome.failed !== "lost" && outcome.failed !== "broken")) return outcome;
    await pause(wait);
  }
  return sendOnce(send);
}

async function sendOnce(send: () => Promise<Response>): Promise<SendOutcome> {
  const answer = await send().catch(() => null);
  if (answer === null) return { failed: "lost", sentence: null };
  const body: unknown = await answer.json().catch(() => null);
  if (answer.ok) return isSent(body) ? body : { failed: "lost", sentence: null };
  const { reason, message, retryAfter } = readRefusal(body);
  const wait = Number(retryAfter ?? answer.headers.get("retry-after"));
  return {
    failed: reason ?? REASON_BY_STATUS[answer.status] ?? "broken",
    sentence: message,
    ...(wait > 0 && { retryAfter: wait }),
  };
}

/** Refusal reasons by status, for responses sent before any route runs. */
const REASON_BY_STATUS: Record<number, string> = {
  401: "not-signed-in",
  403: "not-allowed",
  404: "not-found",
  413: "too-large",
  429: "too-many",
};

const isSent = (body: unknown): body is SentPost =>
  typeof body === "object" && body !== null && "number" in body && "plain" in body;

function readRefusal(body: unknown): { reason: string | null; message: string | null; retryAfter?: unknown } {
  const refused = typeof body === "object" && body !== null && "refused" in body ? body.refused : null;
  if (typeof refused !== "object" || refused === null || !("reason" in refused) || !("message" in refused))
    return { reason: null, message: null };
  const fields = "fields" in refused && refused.fields ? Object.values(refused.fields) : [];
  const retryAfter = "retryAfter" in refused ? refused.retryAfter : undefined;
  return { reason: String(refused.reason), message: String(fields[0] ?? refused.message), retryAfter };
}
