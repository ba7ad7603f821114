/** Scripts that are written without spaces: each of their letters is a token, so words are found anywhere. */
const UNSPACED_SCRIPTS = ["Han", "Hiragana", "Katakana", "Thai", "Lao", "Khmer", "Myanmar", "Tibetan"]
  .map((script) => String.raw`\p{scx=${script}}`)
  .join("");
const UNSPACED = String.raw`[[${UNSPACED_SCRIPTS}]&&[\p{L}\p{N}]]`;
const SPACED = String.raw`[[\p{L}\p{N}\p{M}]--${UNSPACED}]`;
/** Characters that are drawn as nothing, and that people put into a word to hide it. */
const INVISIBLE = String.raw`[\u00AD\u200B-\u200D\u2060\uFE00-\uFE0F\uFEFF]`;
const LETTER = String.raw`[\p{L}\p{N}\p{M}]`;

/** Runs of letters. Asterisks inside a word are Markdown's emphasis, which readers do not see. */
const TEXT_RUN = new RegExp(
  String.raw`\p{Extended_Pictographic}|${LETTER}(?:${LETTER}|${INVISIBLE}|\*+(?=${LETTER}))*`,
  "gu",
);
const PHRASE_RUN = new RegExp(String.raw`\p{Extended_Pictographic}|(?:${LETTER}|${INVISIBLE}|[*?])+`, "gu");
const ANY_UNSPACED = new RegExp(UNSPACED, "v");
/** Splits a run at letters of unspaced scripts. Marks of half-width kana count as letters in Unicode. */
const RUN_PART = new RegExp(
  String.raw`${UNSPACED}[\p{M}\uFF9E\uFF9F]*|(?:${SPACED}|${INVISIBLE}|[*?])+`,
  "gv",
);
const ASCII_WORD = /^[\dA-Za-z]+$/;
/** Letters that normalization leaves as they are. */
const NORMAL_LETTER = /^[\u0E01-\u0EFF\u1000-\u109F\u3041-\u3096\u30A1-\u30FA\u4E00-\u9FFF]$/;
const HIDDEN = new RegExp(String.raw`${INVISIBLE}|\*`, "gu");
const INVISIBLE_ONLY = new RegExp(INVISIBLE, "gu");

/** A word of a text, in the form in which words are compared, and its place in the text. */
export type TextToken = { word: string; start: number; end: number };

export function tokenizeText(text: string): TextToken[] {
  const tokens: TextToken[] = [];
  const add = (part: string, start: number) => {
    const word = normalizeWord(part, HIDDEN);
    if (word !== "") tokens.push({ word, start, end: start + part.length });
  };
  TEXT_RUN.lastIndex = 0;
  for (let match; (match = TEXT_RUN.exec(text));) {
    const [run] = match;
    if (ASCII_WORD.test(run))
      tokens.push({ word: run.toLowerCase(), start: match.index, end: TEXT_RUN.lastIndex });
    else for (const part of splitRun(run)) add(part[0], match.index + part.index);
  }
  return tokens;
}

const splitRun = (run: string): { 0: string; index: number }[] =>
  ANY_UNSPACED.test(run) ? [...run.matchAll(RUN_PART)] : [{ 0: run, index: 0 }];

/** Words of a phrase. `*` stands for any letters and digits, `?` for one. */
export const tokenizePhrase = (phrase: string): string[] =>
  [...phrase.matchAll(PHRASE_RUN)]
    .flatMap(([run]) => splitRun(run).map((part) => part[0]))
    .map((word) => normalizeWord(word, INVISIBLE_ONLY).replace(/\*+/g, "*"))
    .filter((word) => word !== "");

/** Equal for upper and lower case, composed and decomposed letters, and full-width letters. */
const normalizeWord = (word: string, without: RegExp): string =>
  NORMAL_LETTER.test(word)
    ? word
    : word.replace(without, "").normalize("NFKC").toLowerCase().replaceAll("ς", "σ").normalize("NFC");

export const hasWildcard = (word: string) => /[*?]/.test(word);

const MEANS_LITTLE = new RegExp(String.raw`^${SPACED}$`, "v");

/** Whether a word is a single letter or digit, in a script whose words usually have several. */
export const isSingleLetter = (word: string) => MEANS_LITTLE.test(word);

/** The longest part of a word between wildcards. */
export const longestPart = (word: string): string =>
  word.split(/[*?]/).reduce((longest, part) => (part.length > longest.length ? part : longest), "");

/**
 * Whether a word matches a pattern with `*` and `?`. Only the last `*` is ever tried again, so the time is at
 * most the product of both lengths.
 */
export function matchesPattern(word: string, pattern: string): boolean {
  let [at, next, star, resume] = [0, 0, -1, 0];
  while (at < word.length) {
    const sign = pattern[next];
    if (sign === "*") {
      star = next++;
      resume = at;
    } else if (sign === "?" || sign === word[at]) {
      at++;
      next++;
    } else if (star >= 0) {
      next = star + 1;
      at = ++resume;
    } else return false;
  }
  while (pattern[next] === "*") next++;
  return next === pattern.length;
}
