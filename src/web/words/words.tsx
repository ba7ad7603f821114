import type { I18n } from "@lingui/core";
import { I18nProvider, Trans, useLingui } from "@lingui/react";
import type { ReactElement, ReactNode } from "react";
import { say } from "./catalogues.ts";

export const WordsProvider = ({ words, children }: { words: I18n; children: ReactNode }) => (
  <I18nProvider i18n={words}>{children}</I18nProvider>
);

/**
 * The page's words: `t("Sign in")`, `t("{count, plural, one {# reply} other {# replies}}", { count })`. The English
 * text is the key; `npm run check` fails when a catalogue lacks one. Keys are literals, so that they can be found.
 */
export function useWords() {
  const { i18n } = useLingui();
  return (text: string, values?: Record<string, unknown>) => say(i18n, text, values);
}

export const useLocale = () => useLingui().i18n.locale;

/** Words with elements inside: `<Rich text="Read the <0>rules</0>." parts={[<Link …/>]} />`. */
export const Rich = ({ text, values, parts }: { text: string; values?: Record<string, unknown>; parts: ReactElement[] }) => (
  <Trans id={text} values={values} components={Object.fromEntries(parts.map((part, index) => [String(index), part]))} />
);
