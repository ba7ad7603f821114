import { indexForm } from "./stemming.ts";
import { isUnspaced, type Token, removeSigns } from "./tokenizer.ts";

/** Weight in a tsvector: A for titles, down to D for the text. */
export type Weight = "A" | "B" | "C" | "D";

/** Maximum positions per word in a tsvector of PostgreSQL. */
const MAX_POSITIONS = 255;
/** Last position that PostgreSQL distinguishes; later words all get this one. */
const LAST_POSITION = 16_383;
/** Maximum bytes of distinct words per document. It limits the vector to less than a megabyte. */
const MAX_BYTES = 600_000;
/** Number of positions between two parts of a document, so that their words do not count as adjacent. */
const PART_GAP = 10;

/**
 * Builds a tsvector literal. A word with another form is stored as both forms at the same position, so that
 * a query with either finds it.
 */
export function buildVector(parts: { tokens: readonly Token[]; weight: Weight }[], language: string): string {
  const positions: WordPositions = { of: new Map(), bytes: 0 };
  let before = 0;
  for (const { tokens, weight } of parts) {
    const letter = weight === "D" ? "" : weight;
    for (const { word, position } of tokens) {
      const at = `${Math.min(before + position, LAST_POSITION)}${letter}`;
      addPosition(positions, word, at);
      const bare = removeSigns(word);
      if (bare !== null) addPosition(positions, bare, at);
      const form = isUnspaced(word) ? null : indexForm(word, language);
      if (form !== null) addPosition(positions, form, at);
    }
    before += (tokens.at(-1)?.position ?? 0) + PART_GAP;
  }
  return [...positions.of].map(([word, at]) => `'${word}':${at.join(",")}`).join(" ");
}

type WordPositions = { of: Map<string, string[]>; bytes: number };
/** Bytes per word in addition to its letters: position count, first position and padding. */
const BYTES_PER_WORD = 6;

function addPosition(positions: WordPositions, word: string, at: string) {
  const known = positions.of.get(word);
  if (known) {
    if (known.length < MAX_POSITIONS && known.at(-1) !== at) known.push(at);
    return;
  }
  const bytes = Buffer.byteLength(word) + BYTES_PER_WORD;
  if (positions.bytes + bytes > MAX_BYTES) return;
  positions.bytes += bytes;
  positions.of.set(word, [at]);
}
