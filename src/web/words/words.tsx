import type { I18n } from "@lingui/core";
import { I18nProvider, Trans } from "@lingui/react";
import { createContext, type ReactElement, type ReactNode, use } from "react";
import { say } from "./catalogues.ts";
import { isolated } from "./isolated.ts";

type Say = (text: string, values?: Record<string, unknown>) => string;
/** A context of our own: the library's gives each of a thousand consumers on a page a state. */
const Words = createContext<{ say: Say; locale: string } | null>(null);
const sayings = new WeakMap<I18n, { say: Say; locale: string }>();

function sayingOf(words: I18n) {
  const known = sayings.get(words);
  if (known) return known;
  const saying = { say: (text: string, values?: Record<string, unknown>) => say(words, text, values), locale: words.locale };
  sayings.set(words, saying);
  return saying;
}

function useSaying() {
  const saying = use(Words);
  if (!saying) throw new Error("Words are only there inside a page.");
  return saying;
}

export const WordsProvider = ({ words, children }: { words: I18n; children: ReactNode }) => (
  <I18nProvider i18n={words}>
    <Words value={sayingOf(words)}>{children}</Words>
  </I18nProvider>
);

/**
 * The page's translations: `t("Sign in")`, `t("{count, plural, one {# reply} other {# replies}}", { count
 * })`. The English text is the key; `npm run check` fails when a catalogue lacks one. Keys are literals, so
 * that they can be found, and each site section has its own; sentences of the server are translated there
 * (`translateFor` in `request-context.ts`).
 */
export const useWords = (): Say => useSaying().say;

export const useLocale = () => useSaying().locale;

/** Translated text with elements inside: `<Rich text="Read the <0>rules</0>." parts={[<Link …/>]} />`. */
export function Rich({ text, values, parts }: { text: string; values?: Record<string, unknown>; parts: ReactElement[] }) {
  const components = Object.fromEntries(parts.map((part, index) => [String(index), part]));
  return <Trans id={text} values={isolated(values, useLocale())} components={components} />;
}
