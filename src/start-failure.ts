import { MigrationError } from "#platform/database";
import { EmbeddedFailure } from "#platform/embedded-postgres";
import { EnvironmentError } from "#platform/environment";
import { DatabaseSetupError } from "./app/open-database.ts";

/** Exit code EX_CONFIG of sysexits.h: the operator has to correct the configuration. */
const MISCONFIGURED = 78;

/**
 * Prints why the process cannot start and ends the process. If the operator can correct the cause, it is
 * printed as a sentence and the exit code is 78.
 */
export function exitWithError(error: unknown): never {
  const sentence = sentenceOf(error);
  console.error(sentence ?? error);
  process.exit(sentence === null ? 1 : MISCONFIGURED);
}

function sentenceOf(error: unknown): string | null {
  if (error instanceof EnvironmentError) return `${error.variable} ${error.sentence}`;
  if (error instanceof EmbeddedFailure || error instanceof DatabaseSetupError)
    return `${error.message}\n${error.advice}`;
  return error instanceof MigrationError ? error.message : null;
}
