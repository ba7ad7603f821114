/** What a language is called by whoever reads in another; its code where that has no name. */
export const languageName = (locale: string, code: string): string =>
  new Intl.DisplayNames(locale, { type: "language", fallback: "code" }).of(code) ?? code;
