import { HTTP_STATUS, Refusal } from "#platform/refusal";

/** Who it was read as: a page of somebody who has been signed out meanwhile, or is somebody else by now, does not take that over. */
export type ReadBy = { readBy: string | null };

/** What a page that stands open reads again, past the router: an answer to it is data, and its failure is no error page. */
export async function answerNow(work: () => Promise<unknown>): Promise<Response> {
  try {
    return new Response(JSON.stringify(await work(), withMoments), { headers: { "content-type": "application/json" } });
  } catch (error) {
    if (error instanceof Refusal) return new Response(null, { status: HTTP_STATUS[error.reason] });
    throw error;
  }
}

/** Moments travel as objects: no text that somebody wrote can be taken for one. */
function withMoments(this: Record<string, unknown>, key: string, value: unknown): unknown {
  const plain = this[key];
  return plain instanceof Date ? { $at: plain.getTime() } : value;
}
