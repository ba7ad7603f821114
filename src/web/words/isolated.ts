import { directionOf } from "./locales.ts";

/** Letters that run the other way than the words around them. */
const AGAINST = { ltr: /[\u0590-\u08ff\ufb1d-\ufefc]/, rtl: /[^\P{L}\u0590-\u08ff\ufb1d-\ufefc]/u };

/**
 * What is put into a sentence, each apart: without that, a name in another script takes the figures and brackets beside
 * it along, and “from Noor Aziz, 15 November” would be read as “from 15 Noor Aziz, November”.
 */
export function isolated(values: Record<string, unknown> = {}, locale: string): Record<string, unknown> {
  const against = AGAINST[directionOf(locale)];
  const apart = { ...values };
  for (const name in apart) if (typeof apart[name] === "string" && against.test(apart[name])) apart[name] = `\u2068${apart[name]}\u2069`;
  return apart;
}
