/**
 * A suffix to strip, its replacement, and the minimum number of remaining letters. Lists of them are sorted
 * by length, longest first.
 */
type Ending = [ending: string, instead: string, least: number];

const ENGLISH_ENDINGS: Ending[] = [
  ["sses", "ss", 2],
  ["ches", "ch", 2],
  ["shes", "sh", 2],
  ["xes", "x", 2],
  ["oes", "o", 4],
  ["ies", "y", 2],
  ["ss", "ss", 1],
  ["us", "us", 1],
  ["is", "is", 1],
  ["s", "", 3],
];
const GERMAN_ENDINGS: Ending[] = [
  ["ern", "", 4],
  ["en", "", 4],
  ["er", "", 4],
  ["es", "", 4],
  ["em", "", 4],
  ["e", "", 4],
  ["n", "", 4],
  ["s", "", 4],
];
const FRENCH_ENDINGS: Ending[] = [
  ["eaux", "eau", 2],
  ["aux", "al", 2],
  ["eux", "eux", 1],
  ["ss", "ss", 1],
  ["x", "", 3],
  ["s", "", 3],
];
const SPANISH_ENDINGS: Ending[] = [
  ["ces", "z", 2],
  ["iones", "ion", 2],
  ["res", "r", 3],
  ["les", "l", 3],
  ["des", "d", 3],
  ["nes", "n", 3],
  ["s", "", 3],
];
const ARABIC_ENDINGS: Ending[] = [
  ["ات", "", 3],
  ["ون", "", 3],
  ["ين", "", 3],
  ["ان", "", 3],
  ["ه", "", 3],
];
const ARABIC_LETTERS = /^[\u0600-\u06ff]+$/;
const LATIN_LETTERS = /^[a-z]+$/;
/** The Arabic article and prepositions attached to a word. */
const ARABIC_PREFIX = /^(?:وال|فال|بال|كال|لل|ال)(?=.{3})/;

const ENDINGS: Record<string, Ending[]> = {
  en: ENGLISH_ENDINGS,
  de: GERMAN_ENDINGS,
  fr: FRENCH_ENDINGS,
  es: SPANISH_ENDINGS,
  ar: ARABIC_ENDINGS,
};
/** English words that only look like plurals. */
const NOT_PLURAL = new Set([
  "news",
  "does",
  "goes",
  "always",
  "perhaps",
  "series",
  "species",
  "lens",
  "besides",
  "afterwards",
]);

/** Strips plural and case endings. Returns the word unchanged if it has none. */
export function stemWord(word: string, language: string): string {
  if (language === "en" && NOT_PLURAL.has(word)) return word;
  const bare = language === "ar" ? word.replace(ARABIC_PREFIX, "") : word;
  for (const [ending, instead, least] of ENDINGS[language] ?? [])
    if (bare.endsWith(ending) && bare.length - ending.length >= least)
      return bare.slice(0, -ending.length) + instead;
  return bare;
}

const MIN_LENGTH = 4;

/**
 * The additional form under which a word is indexed, or null. English singulars and plurals are real words.
 * In other languages the stem may be a word of another language (such as `listen`), so it is tagged with its
 * language.
 */
export function indexForm(word: string, language: string): string | null {
  const stem = stemWord(word, language);
  if (language === "en") return stem === word ? null : stem;
  return word.length < MIN_LENGTH || !(language in ENDINGS) ? null : `${stem}/${language}`;
}

/** Additional forms of a query word to search for, in all languages or only in `among`. */
export function queryForms(word: string, among?: readonly string[]): string[] {
  if (/^\d/.test(word)) return [];
  const languages = ARABIC_LETTERS.test(word)
    ? ["ar"]
    : LATIN_LETTERS.test(word)
      ? ["en", "de", "fr", "es"]
      : [];
  return languages
    .filter((it) => !among || among.includes(it))
    .flatMap((language) => indexForm(word, language) ?? []);
}

/** Whether one word is a form of the other in this language. */
export const hasSameStem = (one: string, other: string, language: string): boolean =>
  one[0] === other[0] &&
  (stemWord(one, language) === stemWord(other, language) || stemWord(one, "en") === stemWord(other, "en"));

/** Frequent words of each language that are rare in the others, folded. */
const FREQUENT_WORDS: Record<string, string> = {
  en: "the and is are was for that with this have not you they from would there what which been will can about",
  de:
    "der die das und ist nicht ein eine mit auf fur dem den auch sich wir ich aber wie noch zum zur oder " +
    "wenn bei haben sind",
  fr: "le les des est une dans pour que qui pas sur avec nous vous mais sont cette aux ce par il elle je du au",
  es:
    "el los las una que por con para del pero como esta este hay muy sin sobre tambien porque son donde " +
    "cuando se lo al",
};
const LANGUAGES_BY_WORD = new Map<string, string[]>();
for (const [language, words] of Object.entries(FREQUENT_WORDS))
  for (const word of words.split(" "))
    LANGUAGES_BY_WORD.set(word, [...(LANGUAGES_BY_WORD.get(word) ?? []), language]);

/** Number of words that suffice to detect a language. */
const SAMPLE_SIZE = 400;

/** Guesses the language of a text from its frequent words. Returns `otherwise` if the words do not decide. */
export function guessLanguage(words: readonly string[], otherwise: string): string {
  const found: Record<string, number> = {};
  for (const word of words.slice(0, SAMPLE_SIZE)) {
    if (ARABIC_LETTERS.test(word)) found["ar"] = (found["ar"] ?? 0) + 2;
    for (const language of LANGUAGES_BY_WORD.get(word) ?? []) found[language] = (found[language] ?? 0) + 1;
  }
  const [best, next] = Object.entries(found).toSorted((a, b) => b[1] - a[1]);
  return best && best[1] >= 2 && best[1] > (next?.[1] ?? 0) ? best[0] : otherwise;
}
