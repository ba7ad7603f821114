import { EnvironmentError } from "#platform/environment";
import { isSystemError } from "#platform/errors";
import { Refusal } from "#platform/refusal";
import { BucketError } from "#platform/storage";

/** Reason why a move failed, as a sentence for the operator, and the exit code (sysexits.h). */
export type MoveError = { sentence: string; code: number };

const RESUME_ADVICE = "Copied files stay: run this again to continue.";
const EXIT_CONFIG = 78;
const EXIT_TEMPFAIL = 75;
const EXIT_IOERR = 74;
const EXIT_NOPERM = 77;

/** Returns null for an unknown error. */
export function describeMoveError(error: unknown): MoveError | null {
  if (error instanceof EnvironmentError)
    return { sentence: `${error.variable} ${error.sentence}`, code: EXIT_CONFIG };
  if (error instanceof Refusal && error.reason === "unavailable") return describeBucketError(error.cause);
  if (error instanceof Refusal) return { sentence: error.message, code: 1 };
  return isSystemError(error) ? describeDiskError(error) : null;
}

function describeBucketError(cause: unknown): MoveError {
  const status = cause instanceof BucketError ? cause.status : null;
  if (status === 401 || status === 403)
    return {
      sentence:
        `The bucket refuses this key (${status}). S3_KEY and S3_SECRET need permission to read, write, ` +
        `remove and list.`,
      code: EXIT_CONFIG,
    };
  if (status === 404)
    return { sentence: "There is no bucket at the address in S3_URL (404).", code: EXIT_CONFIG };
  // Timeouts and rate limits are not the operator's mistake.
  if (status !== null && status < 500 && status !== 408 && status !== 429)
    return {
      sentence: `The bucket does not understand the request (${status}). Are S3_URL and its region correct?`,
      code: EXIT_CONFIG,
    };
  return {
    sentence: `The bucket cannot be reached right now (${status ?? errorCode(cause)}). ${RESUME_ADVICE}`,
    code: EXIT_TEMPFAIL,
  };
}

/** Code of a connection error, such as ECONNREFUSED. */
const errorCode = (error: unknown): string => {
  const { cause, code } = (error ?? {}) as { cause?: unknown; code?: unknown };
  return typeof code === "string" ? code : cause ? errorCode(cause) : "no answer";
};

function describeDiskError({ code, path }: NodeJS.ErrnoException): MoveError {
  if (code === "ENOSPC" || code === "EDQUOT")
    return { sentence: `The disk is full (${code}). Free some space. ${RESUME_ADVICE}`, code: EXIT_IOERR };
  if (code === "EACCES" || code === "EPERM" || code === "EROFS")
    return {
      sentence:
        `This user has no access to ${path ?? "the data folder"} (${code}). Run this as the user who ` +
        `runs Kith.`,
      code: EXIT_NOPERM,
    };
  return {
    sentence: `The disk reports an error (${code}${path ? `, ${path}` : ""}). ${RESUME_ADVICE}`,
    code: EXIT_IOERR,
  };
}
