import type { EmailContent as Mailed } from "#platform/mail";
import { isKeyOf } from "#platform/objects";
import { arabic } from "./ar.ts";
import { german } from "./de.ts";
import { english } from "./en.ts";
import { spanish } from "./es.ts";
import { french } from "./fr.ts";
import type { AccountEmailKind, AccountEmailTexts } from "./account-email-texts.ts";

const textsByLanguage: Record<string, AccountEmailTexts> = {
  en: english,
  de: german,
  fr: french,
  es: spanish,
  ar: arabic,
};

export type AccountEmailValues = {
  community: string;
  name: string;
  username: string;
  device?: string;
  provider?: string | undefined;
  when?: string;
  email?: string;
  reason?: string;
  until?: string;
};

const PLACEHOLDER = /\{(\w+)\}/g;

/** Composes an account email in a person's language; English where it is not available. */
export function composeAccountEmail(
  kind: AccountEmailKind,
  locale: string,
  values: AccountEmailValues,
  link?: string,
): Mailed {
  const language = Object.hasOwn(textsByLanguage, locale) ? locale : "en";
  const words = textsByLanguage[language]!;
  const { subject, lines, button } = words.letters[kind];
  const fill = (text: string) =>
    text.replace(PLACEHOLDER, (_, key: keyof AccountEmailValues) => values[key] ?? "");
  const filledLines = lines.filter((line) =>
    [...line.matchAll(PLACEHOLDER)].every(([, key]) => isKeyOf(values, key!) && values[key]),
  );
  return composeEmail(language, {
    subject: fill(subject),
    sentences: [words.hello, ...filledLines].map(fill),
    act: button && link ? { button: fill(button), link } : null,
    community: values.community,
    why: fill(words.why),
  });
}

export type PlainEmailContent = {
  subject: string;
  /** The first sentence is the greeting. */
  sentences: string[];
  act: { button: string; link: string } | null;
  community: string;
  /** Why the person gets this email. */
  why?: string;
};

/** Composes an email from plain text. Names in it are escaped, never read as markup. */
export const composeEmail = (
  language: string,
  { subject, sentences, act, community, why }: PlainEmailContent,
): Mailed => ({
  language,
  community,
  subject,
  preheader: sentences[1],
  parts: sentences.map((text) => ({ kind: "sentence", text })),
  act,
  footer: why ? { lines: [why], links: [] } : undefined,
});

/** Formats a time in the reader's language. */
export const formatMoment = (locale: string, at: Date) =>
  new Intl.DateTimeFormat(Object.hasOwn(textsByLanguage, locale) ? locale : "en", {
    dateStyle: "medium",
    timeStyle: "short",
    timeZone: "UTC",
  }).format(at) + " UTC";
