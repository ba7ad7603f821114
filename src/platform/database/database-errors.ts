import { isObject } from "#platform/objects";

/** First words of the driver's own error messages, by which its errors are recognized: they carry no code. */
const DRIVER_ERRORS = [
  "Connection terminated",
  "Client has encountered a connection error",
  "timeout exceeded when trying to connect",
  "Client was closed",
  "driver has already been destroyed",
  "Cannot use a pool after calling end",
];

/** The code of a system or database error (`ECONNREFUSED`, `57P01`), or an empty text. */
const errorCode = (error: unknown): string =>
  typeof error === "object" && error !== null && "code" in error ? String(error.code) : "";

const CONNECTION_ERRORS = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ENOENT",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENOTFOUND",
]);
/**
 * PostgreSQL, appendix A: shutting down, starting up, too many connections, statement timeout, lock timeout.
 */
const UNAVAILABLE_STATES = new Set([
  "57P01",
  "57P02",
  "57P03",
  "57P05",
  "53300",
  "57014",
  "55P03",
  "25P03",
  "25006",
]);

/** True when the database cannot answer now but will later: the client gets 503 and the seconds to wait. */
export function isUnavailable(error: unknown): boolean {
  const code = errorCode(error);
  if (
    CONNECTION_ERRORS.has(code) ||
    UNAVAILABLE_STATES.has(code) ||
    code.startsWith("08") ||
    isOutOfSpace(error)
  )
    return true;
  // Errors of the drivers themselves carry no code: a broken connection, or a query while the app is shutting
  // down.
  return error instanceof Error && DRIVER_ERRORS.some((start) => error.message.startsWith(start));
}

/** True when the disk under the database is full. */
export const isOutOfSpace = (error: unknown) => ["53100", "ENOSPC"].includes(errorCode(error));

/** True when a unique index refused a row; `constraint` narrows it to one index. */
export const isUniqueViolation = (error: unknown, constraint?: string) =>
  errorCode(error) === "23505" &&
  (constraint === undefined || (isObject(error) && error["constraint"] === constraint));

/**
 * True when PostgreSQL aborted this transaction because it conflicted with others (deadlock, serialization
 * failure). The transaction may be retried.
 */
export const isSerializationConflict = (error: unknown): boolean =>
  ["40001", "40P01"].includes(errorCode(error));

const ATTEMPTS = 5;

/**
 * Runs work that is one transaction and retries it after a conflict. Throws the error of the last attempt.
 */
export async function retryOnConflict<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++)
    try {
      return await work();
    } catch (error) {
      if (attempt === ATTEMPTS || !isSerializationConflict(error)) throw error;
    }
}
