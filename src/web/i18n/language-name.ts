/** Returns the name of a language in the reader's language, or its code if it has no name there. */
export const languageName = (locale: string, code: string): string =>
  new Intl.DisplayNames(locale, { type: "language", fallback: "code" }).of(code) ?? code;
