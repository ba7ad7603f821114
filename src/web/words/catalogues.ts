import { setupI18n, type I18n, type Messages } from "@lingui/core";
import { isolated } from "./isolated.ts";
import { isLocale } from "./locales.ts";
import { partOf } from "./part.ts";

/** A catalogue: the server's is whole; a browser's is that of the shell, with the ways to those of the parts of the site. */
type Catalogue = { default: Messages; parts: Record<string, () => Promise<{ default: Messages }>> };

const files = import.meta.glob<Catalogue>("./*.json");
const ready = new Map<string, Known>();
type Known = { words: I18n; parts: Catalogue["parts"]; had: Set<string> };

/** Loads one catalogue, with the words of the page at an address: the browser has but its own language, and of that what it needs. */
export async function loadWords(locale: string, path: string): Promise<I18n> {
  const known = await opened(isLocale(locale) ? locale : "en");
  const part = partOf(path);
  if (!known.had.has(part) && Object.hasOwn(known.parts, part)) {
    const { default: messages } = await known.parts[part]!();
    known.had.add(part);
    known.words.load(known.words.locale, messages);
  }
  return known.words;
}

async function opened(locale: string): Promise<Known> {
  const { default: messages, parts } = await files[`./${locale}.json`]!();
  const known = ready.get(locale) ?? { words: setupI18n({ locale, messages: { [locale]: messages } }), parts, had: new Set() };
  ready.set(locale, known);
  return known;
}

/** English without its catalogue: what says nothing but words stands there as it is. */
const PLAIN = setupI18n({ locale: "en", messages: { en: {} } });

/** The words of a locale that `loadWords` has loaded; in the browser, which has one catalogue, that one. */
export const wordsFor = (locale: string): I18n => (ready.get(locale) ?? ready.get("en") ?? [...ready.values()][0])?.words ?? PLAIN;

/** One text in the words of a locale. What no catalogue has is said as it stands: English, or a sentence with figures. */
export function say(words: I18n, text: string, values?: Record<string, unknown>): string {
  const message = words.messages[text];
  if (message === undefined) return text;
  // Most say nothing but words: the library would make its formatters anew for each.
  const [only] = message;
  return message.length === 1 && typeof only === "string" ? only : words._(text, isolated(values, words.locale));
}
