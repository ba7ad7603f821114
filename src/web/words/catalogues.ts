import { setupI18n, type I18n, type Messages } from "@lingui/core";
import { isolated } from "./isolated.ts";
import { isLocale } from "./locales.ts";
import { partOf } from "./part.ts";

/**
 * A catalogue: the server's is whole; the browser's is that of the shell, with loaders of those of the site
 * sections.
 */
type Catalogue = { default: Messages; parts: Record<string, () => Promise<{ default: Messages }>> };

const files = import.meta.glob<Catalogue>("./*.json");
const ready = new Map<string, Known>();
type Known = { words: I18n; parts: Catalogue["parts"]; had: Set<string> };

/**
 * Loads one catalogue with the texts of the page at an address: the browser has only its own language, and of
 * it what it needs.
 */
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

/** English without a catalogue: texts without placeholders stay as they are. */
const PLAIN = setupI18n({ locale: "en", messages: { en: {} } });

/**
 * The translations of a locale that `loadTranslations` has loaded; in the browser, which has one catalogue,
 * that one.
 */
export const wordsFor = (locale: string): I18n => (ready.get(locale) ?? ready.get("en") ?? [...ready.values()][0])?.words ?? PLAIN;

/** Translates one text. A text without a translation stays as it is: English, or a sentence with numbers. */
export function say(words: I18n, text: string, values?: Record<string, unknown>): string {
  const message = words.messages[text];
  if (message === undefined) return text;
  // Most texts have no placeholders: the library would create formatters anew for each.
  const [only] = message;
  return message.length === 1 && typeof only === "string" ? only : words._(text, isolated(values, words.locale));
}
