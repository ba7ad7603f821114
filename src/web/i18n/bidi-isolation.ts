import { textDirection } from "./locales.ts";

/** Letters with the opposite direction of the text around them. */
const OPPOSITE_LETTERS = { ltr: /[\u0590-\u08ff\ufb1d-\ufefc]/, rtl: /[^\P{L}\u0590-\u08ff\ufb1d-\ufefc]/u };

/**
 * Isolates values put into a sentence: otherwise a name in another script also reverses numbers and brackets
 * beside it, and “from Noor Aziz, 15 November” would be shown as “from 15 Noor Aziz, November”.
 */
export function isolateValues(values: Record<string, unknown> = {}, locale: string): Record<string, unknown> {
  const against = OPPOSITE_LETTERS[textDirection(locale)];
  const apart = { ...values };
  for (const name in apart)
    if (typeof apart[name] === "string" && against.test(apart[name]))
      apart[name] = `\u2068${apart[name]}\u2069`;
  return apart;
}
