export type FailureCode =
  | "no-binaries"
  | "version-mismatch"
  | "not-ours"
  | "disk-full"
  | "read-only"
  | "cannot-start"
  | "locked";

/**
 * Reason why the embedded PostgreSQL does not run: `message` describes the problem in one sentence, `advice`
 * the solution.
 */
export class EmbeddedFailure extends Error {
  override name = "EmbeddedFailure";
  readonly code: FailureCode;
  readonly advice: string;
  constructor(code: FailureCode, sentence: string, advice: string) {
    super(sentence);
    this.code = code;
    this.advice = advice;
  }
}

const DISK_FULL = /no space left on device|wrote only \d+ of \d+ bytes|ENOSPC|disk quota exceeded|EDQUOT/i;
const NOT_WRITABLE = /read-only file system|EROFS|permission denied|EACCES|EPERM|operation not permitted/i;

/**
 * Turns an error of the system, initdb or the server's log into a failure with advice. `folder` is the data
 * folder.
 */
export function toEmbeddedFailure(error: unknown, folder: string): EmbeddedFailure {
  if (error instanceof EmbeddedFailure) return error;
  const words = error instanceof Error ? error.message : String(error);
  if (DISK_FULL.test(words))
    return new EmbeddedFailure(
      "disk-full",
      `The disk with ${folder} is full.`,
      "Free some space, then start again. No stored data is lost.",
    );
  if (NOT_WRITABLE.test(words))
    return new EmbeddedFailure(
      "read-only",
      `PostgreSQL cannot write to ${folder} (${extractLogMessage(words)}).`,
      "Start Kith as the user who owns this folder, or set KITH_DATA to a writable folder.",
    );
  return new EmbeddedFailure(
    "cannot-start",
    `PostgreSQL does not start: ${extractLogMessage(words)}`,
    `The reason is in ${folder}/postgres.log.`,
  );
}

export const foreignDataFailure = (path: string, what: string) =>
  new EmbeddedFailure(
    "not-ours",
    `${path} ${what}.`,
    "Set KITH_DATA to an empty folder, or to one that Kith has created.",
  );

/** The relevant line: the first fatal one, else the last that is not empty. */
function extractLogMessage(words: string): string {
  const lines = words.split("\n").filter((line) => line.trim() !== "");
  const fatal = lines.find((line) => /(FATAL|PANIC|error):/.test(line));
  return (fatal ?? lines.at(-1) ?? "it gave no reason").replace(/^.*?(FATAL|PANIC|error):\s*/, "").trim();
}
