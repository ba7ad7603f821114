import { EnvironmentFault } from "#platform/environment";
import { Refusal } from "#platform/refusal";
import { BucketAnswer } from "#platform/storage";

/** Why a move ended, as a sentence for the operator, and the exit code of sysexits.h. */
export type WhatBroke = { sentence: string; code: number };

const AGAIN = "What was copied stays: run this again, and it goes on from there.";
const CONFIG = 78;
const COME_AGAIN = 75;
const DISK = 74;
const NOT_ALLOWED = 77;

/** Null for an unknown error. */
export function whatBroke(error: unknown): WhatBroke | null {
  if (error instanceof EnvironmentFault) return { sentence: `${error.variable} ${error.sentence}`, code: CONFIG };
  if (error instanceof Refusal && error.reason === "unavailable") return ofBucket(error.cause);
  if (error instanceof Refusal) return { sentence: error.message, code: 1 };
  return error instanceof Error && "syscall" in error ? ofDisk(error as NodeJS.ErrnoException) : null;
}

function ofBucket(cause: unknown): WhatBroke {
  const status = cause instanceof BucketAnswer ? cause.status : null;
  if (status === 401 || status === 403)
    return {
      sentence: `The bucket refuses this key (${status}). S3_KEY and S3_SECRET have to be good for reading, writing, removing and listing in it.`,
      code: CONFIG,
    };
  if (status === 404) return { sentence: "There is no bucket at the address in S3_URL (404).", code: CONFIG };
  // Timeouts and rate limits are not the operator's mistake.
  if (status !== null && status < 500 && status !== 408 && status !== 429)
    return { sentence: `The bucket does not understand what it is asked (${status}). Is S3_URL right, and its region?`, code: CONFIG };
  return { sentence: `The bucket cannot be reached right now (${status ?? codeOf(cause)}). ${AGAIN}`, code: COME_AGAIN };
}

/** Code of a connection error, such as ECONNREFUSED. */
const codeOf = (error: unknown): string => {
  const { cause, code } = (error ?? {}) as { cause?: unknown; code?: unknown };
  return typeof code === "string" ? code : cause ? codeOf(cause) : "no answer";
};

function ofDisk({ code, path }: NodeJS.ErrnoException): WhatBroke {
  if (code === "ENOSPC" || code === "EDQUOT") return { sentence: `The disk is full (${code}). Make room. ${AGAIN}`, code: DISK };
  if (code === "EACCES" || code === "EPERM" || code === "EROFS")
    return {
      sentence: `This user may not use ${path ?? "the data folder"} (${code}). Run this as the user who runs Kith.`,
      code: NOT_ALLOWED,
    };
  return { sentence: `The disk does not do what it should (${code}${path ? `, ${path}` : ""}). ${AGAIN}`, code: DISK };
}
