import { HTTP_STATUS, Refusal } from "#platform/refusal";

/** The person the data was read for: an open page of another person, or of someone signed out, ignores it. */
export type PersonalData = { readBy: string | null };

/**
 * A response for an open page that fetches data without the router: it is JSON, and a failure is no error
 * page.
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

/** Dates are sent as objects, so that no text can be taken for one. */
function markDates(this: Record<string, unknown>, key: string, value: unknown): unknown {
  const plain = this[key];
  return plain instanceof Date ? { $at: plain.getTime() } : value;
}
