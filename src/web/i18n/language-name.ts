/** Name of a language in the reader's language; its code if there is none. */
export const languageName = (locale: string, code: string): string =>
  new Intl.DisplayNames(locale, { type: "language", fallback: "code" }).of(code) ?? code;
