/** The post's number (null for what waits until somebody has looked at it), the names in it that call nobody, and the discussion in which it stands: that may have been merged. */
export type Sent = { number: number | null; plain: string[]; discussionId?: string };
/** What became of one submission; or why not (`failed` as the reason of a refusal), and after how many seconds it makes sense again, where that was said. */
export type Outcome = Sent | { failed: string; sentence: string | null; retryAfter?: number };

/** Silence, or a server that is not itself, is asked again after so long (ms); the submission has a name, so it is stored once. */
const AGAIN = [400, 1_200, 3_000];

/**
 * Sends one submission until there is an answer. Where none can be had (`lost`), or the house is broken (`broken`), it
 * gives up after four times. `pause` waits for so many milliseconds.
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

/** Where the answer comes from before a page is asked. */
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
