/** What the house that a device's maker runs says of one push. Its words name no device: a token is as good as a name. */
export type Outcome =
  | { kind: "sent" }
  /** Nobody is at the end of this token any more; `since` where the house says when it last was good. */
  | { kind: "gone"; reason: string; since: Date | null }
  /** It will not be taken, however often it is sent. */
  | { kind: "refused"; reason: string }
  /** It was not taken this time; `after` is in seconds, where the house says so. */
  | { kind: "later"; reason: string; after: number | null }
  /** It was sent, and nobody said what became of it: sending it again could show it twice. */
  | { kind: "unknown"; reason: string };

/** Words of a house that are no more than a name of an error: other texts may hold the token. */
export const reasonIn = (said: unknown, otherwise: string): string =>
  typeof said === "string" && /^[\w.-]{1,60}$/.test(said) ? said : otherwise;

/** Seconds of a `Retry-After` header, which may be a date instead. */
export function secondsIn(header: string | undefined, now: Date): number | null {
  if (header === undefined) return null;
  const seconds = /^\d{1,9}$/.test(header) ? Number(header) : (Date.parse(header) - now.getTime()) / 1_000;
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : null;
}
