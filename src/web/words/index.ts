export { TranslationProvider, useTranslate, useLocale, Rich } from "./words.tsx";
export { getTranslations, loadTranslations, translate } from "./catalogues.ts";
export { translateSentence } from "./whole.ts";
export { siteSection } from "./part.ts";
export { LOCALES, textDirection, chooseLocale, isLocale } from "./locales.ts";
export { languageName } from "./language-name.ts";
export { languageAttributes } from "./text-in.ts";
export type { Locale } from "./locales.ts";
