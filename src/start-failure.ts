import { MigrationFault } from "#platform/database";
import { EmbeddedFailure } from "#platform/embedded";
import { EnvironmentFault } from "#platform/environment";
import { MemoryFault } from "./memory.ts";

/** EX_CONFIG of sysexits: something that its owner has to put right. */
const MISCONFIGURED = 78;

/**
 * Says why the process cannot start, and ends it: in a sentence and with 78 where its owner can put that
 * right.
 */
export function endWith(error: unknown): never {
  const sentence = sentenceOf(error);
  console.error(sentence ?? error);
  process.exit(sentence === null ? 1 : MISCONFIGURED);
}

function sentenceOf(error: unknown): string | null {
  if (error instanceof EnvironmentFault) return `${error.variable} ${error.sentence}`;
  if (error instanceof EmbeddedFailure || error instanceof MemoryFault) return `${error.message}\n${error.advice}`;
  return error instanceof MigrationFault ? error.message : null;
}
