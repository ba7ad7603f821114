/**
 * Result of one push as the vendor's service reports it. It contains no token, because a token identifies a
 * person.
 */
export type PushOutcome =
  | { kind: "sent" }
  /** The token is no longer valid; `since` is when it last was, if the service says so. */
  | { kind: "gone"; reason: string; since: Date | null }
  /** The service will reject it however often it is sent. */
  | { kind: "refused"; reason: string }
  /** The service rejects it for now; `after` is in seconds, if the service says when to retry. */
  | { kind: "later"; reason: string; after: number | null }
  /** Sent without a response: sending it again could show it twice. */
  | { kind: "unknown"; reason: string };

/** Returns only an error's name, because other texts may hold the token. */
export const toSafeReason = (reason: unknown, otherwise: string): string =>
  typeof reason === "string" && /^[\w.-]{1,60}$/.test(reason) ? reason : otherwise;

/** Returns the seconds of a `Retry-After` header, which may be a date. */
export function parseRetryAfter(header: string | undefined, now: Date): number | null {
  if (header === undefined) return null;
  const seconds = /^\d{1,9}$/.test(header) ? Number(header) : (Date.parse(header) - now.getTime()) / 1_000;
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : null;
}
