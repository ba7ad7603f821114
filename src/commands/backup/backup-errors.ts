import { EmbeddedFailure } from "#platform/embedded-postgres";
import { EnvironmentError } from "#platform/environment";
import { isSystemError } from "#platform/errors";
import { Refusal } from "#platform/refusal";

/** Reason why a backup or restore failed, as a sentence for the operator, and the exit code (sysexits.h). */
export type BackupError = { sentence: string; code: number };

const EXIT_CONFIG = 78;
const EXIT_TEMPFAIL = 75;
const EXIT_IOERR = 74;
const EXIT_NOPERM = 77;

/** Returns null for an unknown error. */
export function describeBackupError(error: unknown): BackupError | null {
  if (error instanceof EnvironmentError)
    return { sentence: `${error.variable} ${error.sentence}`, code: EXIT_CONFIG };
  if (error instanceof EmbeddedFailure)
    return {
      sentence: `${error.message}\n${error.advice}`,
      code: error.code === "locked" ? EXIT_TEMPFAIL : 1,
    };
  if (error instanceof Refusal) return { sentence: error.message, code: 1 };
  if (!(error instanceof Error)) return null;
  if (/^Connection terminated|terminating connection/.test(error.message))
    return {
      sentence: "The database was stopped during the backup. No backup was written: run it again.",
      code: EXIT_TEMPFAIL,
    };
  return isSystemError(error) ? describeDiskError(error) : null;
}

function describeDiskError({ code, path }: NodeJS.ErrnoException): BackupError {
  if (code === "ENOSPC" || code === "EDQUOT")
    return {
      sentence: `The disk is full (${code}). Free some space, then run this again.`,
      code: EXIT_IOERR,
    };
  if (code === "EACCES" || code === "EPERM" || code === "EROFS")
    return {
      sentence: `This user has no access to ${path ?? "that folder"} (${code}). Run this as the user who runs Kith.`,
      code: EXIT_NOPERM,
    };
  if (code === "ENOENT") return { sentence: `There is no ${path ?? "such file"}.`, code: 1 };
  return {
    sentence: `The disk reports an error (${code}${path ? `, ${path}` : ""}).`,
    code: EXIT_IOERR,
  };
}
