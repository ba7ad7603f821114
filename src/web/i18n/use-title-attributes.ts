import { languageAttributes } from "./language-attributes.ts";
import { useLocale } from "./translation-provider.tsx";

/** Returns `lang` and `dir` of a title; `lang` only where it differs from the page's language. */
export function useTitleAttributes(): typeof languageAttributes {
  const locale = useLocale();
  return (language, title) => {
    const { lang, dir } = languageAttributes(language, title);
    return lang === locale ? { dir } : { lang, dir };
  };
}
