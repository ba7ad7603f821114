/** Languages of the interface, each with its own name for itself. */
export const LOCALES = {
  en: "English",
  de: "Deutsch",
  fr: "Français",
  es: "Español",
  ar: "العربية",
} as const;
export type Locale = keyof typeof LOCALES;

export const isLocale = (text: string): text is Locale => Object.hasOwn(LOCALES, text);

const RIGHT_TO_LEFT = new Set(["ar", "dv", "fa", "he", "ku", "ps", "sd", "ug", "ur", "yi"]);
export const textDirection = (language: string) => (RIGHT_TO_LEFT.has(language) ? "rtl" : "ltr");

/** Returns the first supported language of an `Accept-Language` header, or English. */
export function chooseLocale(header: string): Locale {
  for (const part of header.slice(0, 200).split(",")) {
    const letters = part.trim().slice(0, 2).toLowerCase();
    if (isLocale(letters)) return letters;
  }
  return "en";
}
