export { TranslationProvider, useTranslate, useLocale, Rich } from "./translation-provider.tsx";
export type { Translate } from "./translation-provider.tsx";
export { getTranslations, loadTranslations, translate } from "./catalogues.ts";
export { siteSection } from "./site-section.ts";
export { LOCALES, textDirection, chooseLocale, isLocale } from "./locales.ts";
export { languageName } from "./language-name.ts";
export { languageAttributes } from "./language-attributes.ts";
export { useTitleAttributes } from "./use-title-attributes.ts";
export type { Locale } from "./locales.ts";
