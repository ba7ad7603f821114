import type { I18n } from "@lingui/core";
import { I18nProvider, Trans } from "@lingui/react";
import { createContext, type ReactElement, type ReactNode, use } from "react";
import { translate } from "./catalogues.ts";
import { isolateValues } from "./bidi-isolation.ts";

export type Translate = (text: string, values?: Record<string, unknown>, context?: string) => string;
/**
 * Replaces the library's context, which would create a React state for each of a thousand consumers on a
 * page.
 */
const TranslationContext = createContext<{ translate: Translate; locale: string } | null>(null);
const translations = new WeakMap<I18n, { translate: Translate; locale: string }>();

function translationOf(i18n: I18n) {
  const known = translations.get(i18n);
  if (known) return known;
  const saying = {
    translate: (text: string, values?: Record<string, unknown>, context?: string) =>
      translate(i18n, text, values, context),
    locale: i18n.locale,
  };
  translations.set(i18n, saying);
  return saying;
}

function useTranslation() {
  const saying = use(TranslationContext);
  if (!saying) throw new Error("Words are only there inside a page.");
  return saying;
}

export const TranslationProvider = ({ i18n, children }: { i18n: I18n; children: ReactNode }) => (
  <I18nProvider i18n={i18n}>
    <TranslationContext value={translationOf(i18n)}>{children}</TranslationContext>
  </I18nProvider>
);

/**
 * Returns the page's translation function: `t("Sign in")`, `t("{count, plural, one {# reply} other {#
 * replies}}", { count })`, or with the meaning of an ambiguous word: `t("Open", undefined, "verb")`. The
 * English text is the key; `npm run check` fails when a catalogue lacks a key. Keys must be literals, so
 * that the build finds the texts of each site section. Sentences of the server are translated on the server
 * (`translateFor` in `translate-for.ts`).
 */
export const useTranslate = (): Translate => useTranslation().translate;

export const useLocale = () => useTranslation().locale;

/**
 * Translated text with elements inside: `<Rich text="Read the <0>rules</0>." parts={{ 0: <Link …/> }} />`.
 */
export function Rich({
  text,
  values,
  parts,
}: {
  text: string;
  values?: Record<string, unknown>;
  parts: Record<number, ReactElement>;
}) {
  return <Trans id={text} values={isolateValues(values, useLocale())} components={parts} />;
}
