import { ar } from "./ar.ts";
import { de } from "./de.ts";
import { en } from "./en.ts";
import { es } from "./es.ts";
import { fr } from "./fr.ts";
import type { Letter, Words } from "./words.ts";

const languages: Record<string, Words> = { en, de, fr, es, ar };

export type LetterValues = { community: string; name: string; username: string; device?: string; when?: string; email?: string };

/** One mail of the accounts, in a person's language (English where we have no other), as text and as plain HTML. */
export function letter(kind: Letter, locale: string, values: LetterValues, link?: string) {
  const language = languages[locale] ? locale : "en";
  const words = languages[language]!;
  const { subject, lines, button } = words.letters[kind];
  const fill = (text: string) => text.replace(/\{(\w+)\}/g, (_, key: keyof LetterValues) => values[key] ?? "");
  return letterOf(language, {
    subject: fill(subject),
    sentences: [words.hello, ...lines].map(fill),
    act: button && link ? { button, link } : null,
    community: values.community,
  });
}

export type Said = { subject: string; sentences: string[]; act: { button: string; link: string } | null; community: string };

/** A mail of these words, as text and as plain HTML: whatever names are in them, they stay words. */
export function letterOf(language: string, { subject, sentences, act, community }: Said) {
  return {
    // A subject is one line, whatever names are in it.
    subject: subject.replace(/\s+/g, " "),
    text: [...sentences, ...(act ? [`${act.button}: ${act.link}`] : []), community].join("\n\n"),
    html: htmlOf(language, sentences, act, community),
  };
}

function htmlOf(language: string, sentences: string[], act: { button: string; link: string } | null, community: string): string {
  const paragraphs = sentences.map((sentence) => `<p>${escape(sentence)}</p>`).join("\n");
  const button = act
    ? `<p><a href="${escape(act.link)}" style="display:inline-block;padding:10px 18px;border-radius:8px;background:#1f6f54;color:#ffffff;text-decoration:none">${escape(act.button)}</a></p>\n<p style="color:#555;font-size:13px;word-break:break-all">${escape(act.link)}</p>`
    : "";
  return `<!doctype html>
<html lang="${language}" dir="${language === "ar" ? "rtl" : "ltr"}"><head><meta charset="utf-8"></head>
<body style="font:16px/1.5 system-ui,sans-serif;max-width:34em;margin:2em auto;padding:0 1em;color:#222">
${paragraphs}
${button}
<p style="color:#555">${escape(community)}</p>
</body></html>`;
}

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
const escape = (text: string) => text.replace(/[&<>"']/g, (sign) => ENTITIES[sign]!);

/** A moment in words, as the reader's language writes it. */
export const momentIn = (locale: string, at: Date) =>
  new Intl.DateTimeFormat(languages[locale] ? locale : "en", { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" }).format(at) +
  " UTC";
