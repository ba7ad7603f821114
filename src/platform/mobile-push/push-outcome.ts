/** Result of one push as the vendor's service reports it. It names no device: a token identifies a person. */
export type PushOutcome =
  | { kind: "sent" }
  /** The token is not valid any more; `since` when the service says when it last was. */
  | { kind: "gone"; reason: string; since: Date | null }
  /** Will be rejected however often it is sent. */
  | { kind: "refused"; reason: string }
  /** Rejected for now; `after` in seconds, when the service says so. */
  | { kind: "later"; reason: string; after: number | null }
  /** Sent without a response: sending again could show it twice. */
  | { kind: "unknown"; reason: string };

/** Passes only an error's name: other texts may hold the token. */
export const safeReason = (said: unknown, otherwise: string): string =>
  typeof said === "string" && /^[\w.-]{1,60}$/.test(said) ? said : otherwise;

/** Seconds of a `Retry-After` header, which may be a date. */
export function parseRetryAfter(header: string | undefined, now: Date): number | null {
  if (header === undefined) return null;
  const seconds = /^\d{1,9}$/.test(header) ? Number(header) : (Date.parse(header) - now.getTime()) / 1_000;
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : null;
}
