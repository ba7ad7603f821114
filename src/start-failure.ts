import { MigrationError } from "#platform/database";
import { EmbeddedFailure } from "#platform/embedded-postgres";
import { EnvironmentError } from "#platform/environment";
import { DatabaseSetupError } from "./app/open-database.ts";

/** EX_CONFIG of sysexits: something that its owner has to put right. */
const MISCONFIGURED = 78;

/**
 * Says why the process cannot start, and ends it: in a sentence and with 78 where its owner can put that
 * right.
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
