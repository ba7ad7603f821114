import { HTTP_STATUS, Refusal } from "#platform/refusal";

/**
 * Id of the person for whom the data was read. The page of another person, or of someone who signed out,
 * ignores the data.
 */
export type PersonalData = { readBy: string | null };

/**
 * Returns a JSON response for an open page that fetches data without the router. A refusal is only a status,
 * not an error page.
 */
export async function liveResponse(work: () => Promise<unknown>): Promise<Response> {
  try {
    return new Response(JSON.stringify(await work(), markDates), {
      headers: { "content-type": "application/json" },
    });
  } catch (error) {
    if (error instanceof Refusal) return new Response(null, { status: HTTP_STATUS[error.reason] });
    throw error;
  }
}

/** Dates are sent as objects, so that no text can be mistaken for a date. */
function markDates(this: Record<string, unknown>, key: string, value: unknown): unknown {
  const plain = this[key];
  return plain instanceof Date ? { $at: plain.getTime() } : value;
}
