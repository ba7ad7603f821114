import { setupI18n, type I18n, type Messages } from "@lingui/core";
import { isolateValues } from "./bidi-isolation.ts";
import { messageId } from "./message-id.ts";
import { isLocale } from "./locales.ts";
import { siteSection } from "./site-section.ts";

/**
 * A catalogue: the server's is whole; the browser's is that of the shell, with loaders of those of the site
 * sections.
 */
type CatalogueModule = { default: Messages; parts: Record<string, () => Promise<{ default: Messages }>> };

const catalogueFiles = import.meta.glob<CatalogueModule>("./*.json");
const loadedCatalogues = new Map<string, LoadedCatalogue>();
type LoadedCatalogue = { i18n: I18n; parts: CatalogueModule["parts"]; had: Set<string> };

/**
 * Loads one catalogue with the texts of the page at an address: the browser has only its own language, and of
 * it what it needs.
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

/** English without a catalogue: texts without placeholders stay as they are. */
const ENGLISH = setupI18n({ locale: "en", messages: { en: {} } });

/**
 * The translations of a locale that `loadTranslations` has loaded; in the browser, which has one catalogue,
 * that one.
 */
export const getTranslations = (locale: string): I18n =>
  (loadedCatalogues.get(locale) ?? loadedCatalogues.get("en") ?? [...loadedCatalogues.values()][0])?.i18n ??
  ENGLISH;

/** Translates one text. A text without a translation stays as it is: English, or a sentence with numbers. */
export function translate(
  i18n: I18n,
  text: string,
  values?: Record<string, unknown>,
  context?: string,
): string {
  const id = messageId(text, context);
  const message = i18n.messages[id];
  if (message === undefined) return text;
  // Most texts have no placeholders: the library would create formatters anew for each.
  const [only] = message;
  return message.length === 1 && typeof only === "string"
    ? only
    : i18n._(id, isolateValues(values, i18n.locale));
}
