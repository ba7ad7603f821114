import { EmbeddedFailure } from "#platform/embedded";
import { EnvironmentFault } from "#platform/environment";
import { Refusal } from "#platform/refusal";

/** Why a backup or restore ended, as a sentence for the operator, and the exit code of sysexits.h. */
export type WhatBroke = { sentence: string; code: number };

const CONFIG = 78;
const COME_AGAIN = 75;
const DISK = 74;
const NOT_ALLOWED = 77;

/** Null for an unknown error. */
export function whatBroke(error: unknown): WhatBroke | null {
  if (error instanceof EnvironmentFault) return { sentence: `${error.variable} ${error.sentence}`, code: CONFIG };
  if (error instanceof EmbeddedFailure)
    return { sentence: `${error.message}\n${error.advice}`, code: error.code === "locked" ? COME_AGAIN : 1 };
  if (error instanceof Refusal) return { sentence: error.message, code: 1 };
  if (!(error instanceof Error)) return null;
  if (/^Connection terminated|terminating connection/.test(error.message))
    return { sentence: "The database was stopped meanwhile. Nothing is left of this backup: run it again.", code: COME_AGAIN };
  return "syscall" in error ? ofDisk(error as NodeJS.ErrnoException) : null;
}

function ofDisk({ code, path }: NodeJS.ErrnoException): WhatBroke {
  if (code === "ENOSPC" || code === "EDQUOT") return { sentence: `The disk is full (${code}). Make room, and run this again.`, code: DISK };
  if (code === "EACCES" || code === "EPERM" || code === "EROFS")
    return { sentence: `This user may not use ${path ?? "that folder"} (${code}). Run this as the user who runs Kith.`, code: NOT_ALLOWED };
  if (code === "ENOENT") return { sentence: `There is no ${path ?? "such file"}.`, code: 1 };
  return { sentence: `The disk does not do what it should (${code}${path ? `, ${path}` : ""}).`, code: DISK };
}
