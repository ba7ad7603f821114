import { Detector, type Scores } from "./detector.ts";

/** Languages that can be told apart, by their two letters (ISO 639-1). */
export const LANGUAGES = (
  "am ar az be bg bn ca cs da de el en es et eu fa fi fr gu he hi hr hu hy is it ja ka kn ko ku lo lt lv ml mr ms nl " +
  "no or pa pl pt ro ru sk sl sq sr sv ta te th tl tr uk ur vi yo zh"
).split(" ");

export const isLanguage = (code: string): boolean => LANGUAGES.includes(code);

/** Characters of a text that are looked at; more say nothing that these do not. */
const LOOKED_AT = 1_000;
/** Letters from which a text speaks more and more for itself, and how much less than that two words say. */
const SHORT = 30;
const SHORTEST = 1.3;
/** What a short text is likely to be written in: its author's language, then one that the community speaks. */
const OWN = 0.1;
const COMMON = 0.1;

const detector = new Detector();

type Likely = { author: string; common: readonly string[] };

/**
 * The language of a text in Markdown: by its letters, and where these are few also by the language of its author and
 * those of the interface. The author's where nothing is known of the text. Never throws.
 */
export async function detectLanguage(markdown: string, likely: Likely): Promise<string> {
  const text = proseIn(markdown);
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  return letters === 0 ? likely.author : likeliest(await detector.scores(text), letters, likely);
}

function likeliest(scores: Scores, letters: number, { author, common }: Likely): string {
  const weight = Math.min(SHORTEST, SHORT / letters);
  const scored = Object.entries(scores).map(([language, score]) => {
    const bonus = (language === author ? OWN : 0) + (common.includes(language) ? COMMON : 0);
    return { language, score: score + bonus * weight };
  });
  return scored.toSorted((a, b) => b.score - a.score)[0]?.language ?? author;
}

/** The words of a text, without what is of no language: code, addresses, mentions and marks. */
const proseIn = (markdown: string): string =>
  markdown
    .slice(0, LOOKED_AT * 4)
    .replace(/^ {0,3}(```|~~~)[^]*?(?:^ {0,3}\1|$(?![^]))/gm, " ")
    .replace(/`[^`\n]*`/g, " ")
    .replace(/https?:\/\/\S+|www\.\S+|\S+@\S+|@[\w.-]+/g, " ")
    .replace(/[^\p{L}\p{M}\p{N}\s'’.,;:!?¿¡-]+/gu, " ")
    .slice(0, LOOKED_AT)
    .trim();
