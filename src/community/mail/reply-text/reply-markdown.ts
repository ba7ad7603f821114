import type { Line } from "./quote-introductions.ts";
import { plainLinesToMarkdown } from "./markdown-of-text.ts";

export type Format = "plain" | "markdown";
export const QUOTE_SIGNS = /^\s{0,3}((?:>\s?)+)/;

export type Segment = { kind: "own" | "quote"; lines: Line[] };

export function toReplyMarkdown(segments: Segment[], format: Format): string {
  return segments
    .map(({ kind, lines }) => (kind === "own" ? ownMarkdown(lines, format) : quoteMarkdown(lines, format)))
    .filter((part) => part !== "")
    .join("\n\n");
}

function ownMarkdown(lines: Line[], format: Format): string {
  const raw = lines.map((line) => line.raw.trimEnd());
  return (format === "plain" ? plainLinesToMarkdown(raw) : raw)
    .join("\n")
    .replace(/^\n+/, "")
    .replace(/\n{3,}/g, "\n\n")
    .trimEnd();
}

function quoteMarkdown(lines: Line[], format: Format): string {
  const shown = lines
    .slice(0, lines.findLastIndex(({ text }) => text !== "") + 1)
    .filter(({ depth, text }) => depth > 0 || text !== "");
  const inner = shown.map(({ raw }) => raw.slice(QUOTE_SIGNS.exec(raw)?.[0].length ?? 0).trimEnd());
  const written = format === "plain" ? plainLinesToMarkdown(inner) : inner;
  return written
    .flatMap((line, at) => {
      const signs = "> ".repeat(depthAt(shown, at));
      // Without an empty line, Markdown would continue the inner quotation.
      return depthAt(shown, at) < depthAt(shown, at - 1)
        ? [signs.trimEnd(), `${signs}${line}`.trimEnd()]
        : `${signs}${line}`.trimEnd();
    })
    .join("\n");
}

const depthAt = (lines: Line[], at: number) => Math.min(6, lines[at]?.depth ?? 0);
