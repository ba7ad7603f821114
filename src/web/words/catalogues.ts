import { setupI18n, type I18n, type Messages } from "@lingui/core";
import { isLocale } from "./locales.ts";

const files = import.meta.glob<{ default: Messages }>("./*.json");
const ready = new Map<string, I18n>();

/** Loads one catalogue: the browser only ever has its own. */
export async function loadWords(locale: string): Promise<I18n> {
  const wanted = isLocale(locale) ? locale : "en";
  const known = ready.get(wanted);
  if (known) return known;
  const { default: messages } = await files[`./${wanted}.json`]!();
  const words = setupI18n({ locale: wanted, messages: { [wanted]: messages } });
  ready.set(wanted, words);
  return words;
}

/** The words of a locale that `loadWords` has loaded; in the browser, which has one catalogue, that one. */
export const wordsFor = (locale: string): I18n => ready.get(locale) ?? ready.get("en") ?? [...ready.values()][0]!;

/** One text in the words of a locale. What no catalogue has is said as it stands: English, or a sentence with figures. */
export function say(words: I18n, text: string, values?: Record<string, unknown>): string {
  const message = words.messages[text];
  if (message === undefined) return text;
  // Most say nothing but words: the library would make its formatters anew for each.
  const [only] = message;
  return message.length === 1 && typeof only === "string" ? only : words._(text, values);
}
