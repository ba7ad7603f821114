import { indexForm } from "./stemming.ts";
import { isUnspaced, type Token, removeSigns } from "./tokenizer.ts";

/** tsvector weight: A for titles, D for the text. */
export type Weight = "A" | "B" | "C" | "D";

/** Limits of PostgreSQL: positions per word, and the last distinct position. */
const MAX_POSITIONS = 255;
const LAST_POSITION = 16_383;
/** Bytes of distinct words per document, which keeps its vector below a megabyte. */
const MAX_BYTES = 600_000;
/** Distance between parts, so that their words are not adjacent. */
const PART_GAP = 10;

/**
 * Builds a tsvector literal. A word with another form appears as both, at the same position, so that each
 * finds the other.
 */
export function buildVector(parts: { tokens: readonly Token[]; weight: Weight }[], language: string): string {
  const places: WordPositions = { of: new Map(), bytes: 0 };
  let before = 0;
  for (const { tokens, weight } of parts) {
    const letter = weight === "D" ? "" : weight;
    for (const { word, place } of tokens) {
      const at = `${Math.min(before + place, LAST_POSITION)}${letter}`;
      addPosition(places, word, at);
      const bare = removeSigns(word);
      if (bare !== null) addPosition(places, bare, at);
      const form = isUnspaced(word) ? null : indexForm(word, language);
      if (form !== null) addPosition(places, form, at);
    }
    before += (tokens.at(-1)?.place ?? 0) + PART_GAP;
  }
  return [...places.of].map(([word, at]) => `'${word}':${at.join(",")}`).join(" ");
}

type WordPositions = { of: Map<string, string[]>; bytes: number };
/** Bytes per word beside its letters: position count, first position and padding. */
const BYTES_PER_WORD = 6;

function addPosition(places: WordPositions, word: string, at: string) {
  const known = places.of.get(word);
  if (known) {
    if (known.length < MAX_POSITIONS && known.at(-1) !== at) known.push(at);
    return;
  }
  const bytes = Buffer.byteLength(word) + BYTES_PER_WORD;
  if (places.bytes + bytes > MAX_BYTES) return;
  places.bytes += bytes;
  places.of.set(word, [at]);
}
