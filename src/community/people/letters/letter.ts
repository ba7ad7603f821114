import type { Letter as Mailed } from "#platform/mail";
import { ar } from "./ar.ts";
import { de } from "./de.ts";
import { en } from "./en.ts";
import { es } from "./es.ts";
import { fr } from "./fr.ts";
import type { Letter, Words } from "./words.ts";

const languages: Record<string, Words> = { en, de, fr, es, ar };

export type LetterValues = {
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

const HOLE = /\{(\w+)\}/g;

/** Composes an account email in a person's language; English where it is not available. */
export function letter(kind: Letter, locale: string, values: LetterValues, link?: string): Mailed {
  const language = Object.hasOwn(languages, locale) ? locale : "en";
  const words = languages[language]!;
  const { subject, lines, button } = words.letters[kind];
  const fill = (text: string) => text.replace(HOLE, (_, key: keyof LetterValues) => values[key] ?? "");
  const said = lines.filter((line) => [...line.matchAll(HOLE)].every(([, key]) => values[key as keyof LetterValues]));
  return letterOf(language, {
    subject: fill(subject),
    sentences: [words.hello, ...said].map(fill),
    act: button && link ? { button: fill(button), link } : null,
    community: values.community,
    why: fill(words.why),
  });
}

export type Said = {
  subject: string;
  /** The first is the greeting. */
  sentences: string[];
  act: { button: string; link: string } | null;
  community: string;
  /** Why the person gets this email. */
  why?: string;
};

/** Composes an email of plain text: names in it are never markup. */
export const letterOf = (language: string, { subject, sentences, act, community, why }: Said): Mailed => ({
  language,
  community,
  subject,
  preheader: sentences[1],
  parts: sentences.map((text) => ({ kind: "sentence", text })),
  act,
  footer: why ? { lines: [why], links: [] } : undefined,
});

/** Formats a time in the reader's language. */
export const momentIn = (locale: string, at: Date) =>
  new Intl.DateTimeFormat(Object.hasOwn(languages, locale) ? locale : "en", {
    dateStyle: "medium",
    timeStyle: "short",
    timeZone: "UTC",
  }).format(at) + " UTC";
