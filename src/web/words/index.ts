export { WordsProvider, useWords, useLocale, Rich } from "./words.tsx";
export { wordsFor, loadWords, say } from "./catalogues.ts";
export { sayWhole } from "./whole.ts";
export { partOf } from "./part.ts";
export { LOCALES, directionOf, chosenLocale, isLocale } from "./locales.ts";
export { languageName } from "./language-name.ts";
export { textIn } from "./text-in.ts";
export type { Locale } from "./locales.ts";
