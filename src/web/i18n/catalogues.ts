import { setupI18n, type I18n, type Messages } from "@lingui/core";
import { isolateValues } from "./bidi-isolation.ts";
import { messageId } from "./message-id.ts";
import { isLocale } from "./locales.ts";
import { siteSection } from "./site-section.ts";

/**
 * Module of a catalogue. On the server it has all texts; in the browser it has the texts of the shell, and
 * loaders for the texts of each site section.
 */
type CatalogueModule = { default: Messages; parts: Record<string, () => Promise<{ default: Messages }>> };

const catalogueFiles = import.meta.glob<CatalogueModule>("./*.json");
const loadedCatalogues = new Map<string, LoadedCatalogue>();
type LoadedCatalogue = { i18n: I18n; parts: CatalogueModule["parts"]; had: Set<string> };

/**
 * Loads the catalogue of a locale with the texts of the page at `path`. The browser loads only its own
 * language, and only the section of that page.
 */
export async function loadTranslations(locale: string, path: string): Promise<I18n> {
  const known = await openCatalogue(isLocale(locale) ? locale : "en");
  const part = siteSection(path);
  if (!known.had.has(part) && Object.hasOwn(known.parts, part)) {
    const { default: messages } = await known.parts[part]!();
    known.had.add(part);
    known.i18n.load(known.i18n.locale, messages);
  }
  return known.i18n;
}

async function openCatalogue(locale: string): Promise<LoadedCatalogue> {
  const { default: messages, parts } = await catalogueFiles[`./${locale}.json`]!();
  const known = loadedCatalogues.get(locale) ?? {
    i18n: setupI18n({ locale, messages: { [locale]: messages } }),
    parts,
    had: new Set(),
  };
  loadedCatalogues.set(locale, known);
  return known;
}

/** English has no catalogue: a text without placeholders is its own translation. */
const ENGLISH = setupI18n({ locale: "en", messages: { en: {} } });

/**
 * Returns the translations that `loadTranslations` has loaded for a locale. The browser has only one
 * catalogue, which is returned for any locale.
 */
export const getTranslations = (locale: string): I18n =>
  (loadedCatalogues.get(locale) ?? loadedCatalogues.get("en") ?? [...loadedCatalogues.values()][0])?.i18n ??
  ENGLISH;

/**
 * Translates a text. A text without a translation is returned unchanged: English texts, and sentences with
 * numbers.
 */
export function translate(
  i18n: I18n,
  text: string,
  values?: Record<string, unknown>,
  context?: string,
): string {
  const id = messageId(text, context);
  const message = i18n.messages[id];
  if (message === undefined) return text;
  // Most texts have no placeholders and need no formatters, which the library would create anew for each
  // text.
  const [only] = message;
  return message.length === 1 && typeof only === "string"
    ? only
    : i18n._(id, isolateValues(values, i18n.locale));
}
