/** A line of the report: `wrong` prevents Kith from working, `note` is information only. */
export type Finding = { state: "ok" | "note" | "wrong"; about: string; sentence: string; advice?: string };

export const okFinding = (about: string, sentence: string): Finding => ({ state: "ok", about, sentence });
export const noteFinding = (about: string, sentence: string, advice?: string): Finding => ({
  state: "note",
  about,
  sentence,
  ...(advice && { advice }),
});
export const problemFinding = (about: string, sentence: string, advice: string): Finding => ({
  state: "wrong",
  about,
  sentence,
  advice,
});

/** Formats the report: one line per finding, with its advice below. */
export function formatFindings(findings: Finding[]): string {
  const line = ({ state, about, sentence, advice }: Finding) =>
    `${state.padEnd(6)} ${about.padEnd(14)} ${sentence}${advice ? `\n${" ".repeat(22)}${advice}` : ""}`;
  return findings.map(line).join("\n");
}

/** Returns the system's reason for a failure. Connection errors often have a code and no message. */
export const errorReason = (error: unknown) =>
  error instanceof Error ? error.message || String((error as NodeJS.ErrnoException).code) : String(error);
