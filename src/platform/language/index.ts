import { LanguageDetector, type LanguageScores } from "./detector.ts";

/** Languages that can be detected, by two-letter code (ISO 639-1). */
export const LANGUAGES = (
  "am ar az be bg bn ca cs da de el en es et eu fa fi fr gu he hi hr hu hy is it ja ka kn ko ku lo lt lv ml mr ms nl " +
  "no or pa pl pt ro ru sk sl sq sr sv ta te th tl tr uk ur vi yo zh"
).split(" ");

export const isLanguage = (code: string): boolean => LANGUAGES.includes(code);

/** Maximum characters of a text that are used; more do not improve the result. */
const MAX_CHARACTERS = 1_000;
/**
 * Letters of a text in which likely languages get exactly their bonus. In shorter texts the bonus is larger,
 * in longer texts smaller.
 */
const SHORT = 30;
/** Maximum factor by which the bonus grows in short texts. */
const SHORTEST = 1.3;
/** Bonus of the author's language, added to its score. */
const OWN = 0.1;
/** Bonus of each language of the community. */
const COMMON = 0.1;

const detector = new LanguageDetector();

type LikelyLanguages = { author: string; common: readonly string[] };

/**
 * Detects the language of a Markdown text: by its letters, and for short texts also by the language of its
 * author and of the interface. Falls back to the author's. Never throws.
 */
export async function detectLanguage(markdown: string, likely: LikelyLanguages): Promise<string> {
  const text = extractProse(markdown);
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  return letters === 0 ? likely.author : chooseLanguage(await detector.scores(text), letters, likely);
}

function chooseLanguage(
  scores: LanguageScores,
  letters: number,
  { author, common }: LikelyLanguages,
): string {
  const weight = Math.min(SHORTEST, SHORT / letters);
  const scored = Object.entries(scores).map(([language, score]) => {
    const bonus = (language === author ? OWN : 0) + (common.includes(language) ? COMMON : 0);
    return { language, score: score + bonus * weight };
  });
  return scored.toSorted((a, b) => b.score - a.score)[0]?.language ?? author;
}

/** The prose of a text, without code, addresses, mentions and marks. */
const extractProse = (markdown: string): string =>
  markdown
    .slice(0, MAX_CHARACTERS * 4)
    .replace(/^ {0,3}(```|~~~)[^]*?(?:^ {0,3}\1|$(?![^]))/gm, " ")
    .replace(/`[^`\n]*`/g, " ")
    .replace(/https?:\/\/\S+|www\.\S+|\S+@\S+|@[\w.-]+/g, " ")
    .replace(/[^\p{L}\p{M}\p{N}\s'’.,;:!?¿¡-]+/gu, " ")
    .slice(0, MAX_CHARACTERS)
    .trim();
