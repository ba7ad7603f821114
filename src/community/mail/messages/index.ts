import { ar } from "./ar.ts";
import { de } from "./de.ts";
import { en } from "./en.ts";
import { es } from "./es.ts";
import { fr } from "./fr.ts";
import type { MailMessages } from "./message-types.ts";

const messagesByLanguage: Record<string, MailMessages> = { en, de, fr, es, ar };

export const LANGUAGES = Object.keys(messagesByLanguage);

/** The messages in a person's language, else in English. */
export function mailMessagesFor(locale: string): { language: string; words: MailMessages } {
  const language = Object.hasOwn(messagesByLanguage, locale) ? locale : "en";
  return { language, words: messagesByLanguage[language]! };
}

/**
 * Fills `{name}` placeholders. For `{has|have}` it inserts the second form if `several`, otherwise the
 * first.
 */
export function fillMessage(text: string, values: Record<string, string | number>, several = false): string {
  return text
    .replace(/\{([^{}|]+)\|([^{}|]+)\}/g, (_, one: string, many: string) => (several ? many : one))
    .replace(/\{(\w+)\}/g, (_, key: string) => String(values[key] ?? ""));
}

/** "Ana, Bo and Cleo" in the given language: three names at most, then the number of others. */
export function formatNames(language: string, names: string[]): string {
  const shown = names.length > 3 ? [...names.slice(0, 2), `+${names.length - 2}`] : names;
  return new Intl.ListFormat(language, { type: "conjunction" }).format(shown);
}

/** A date and time in the person's time zone, or UTC if the zone is unknown. */
export function formatMoment(language: string, timeZone: string, at: Date, withTime = true): string {
  const style: Intl.DateTimeFormatOptions = { dateStyle: "medium", ...(withTime && { timeStyle: "short" }) };
  try {
    return new Intl.DateTimeFormat(language, { ...style, timeZone }).format(at);
  } catch {
    return new Intl.DateTimeFormat(language, { ...style, timeZone: "UTC" }).format(at);
  }
}
