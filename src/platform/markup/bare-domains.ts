import MarkdownIt from "markdown-it";
import { removeDisruptiveMarks } from "./sanitize-text.ts";

/**
 * Endings of domains that are common in advertising, beside those of countries and the oldest ones, which the
 * library knows. Endings that are everyday words (`today`, `work`) are left out: people forget the space after a
 * full stop. `example` is the ending of domains in documentation.
 */
const MORE_ENDINGS =
  "app bet blog casino click cloud club dev digital example fun games host icu link live media mobi network " +
  "onion online page promo sale shop site social space store stream tech tips top tube vip website wiki xyz zone";
/** Endings of countries that are known as endings of files. */
const FILE_ENDINGS = ["md", "py", "sh"];

const { linkify } = new MarkdownIt({ linkify: true });
linkify.set({ fuzzyLink: true, fuzzyEmail: false, fuzzyIP: false }).tlds(MORE_ENDINGS.split(" "), true);

/** An `@` at the beginning of a word, and an underscore, would hide the domain behind it. */
const HIDING_SIGNS = /(?<![\p{L}\p{N}.-])@|_/gu;
const INVISIBLE_SIGNS = /[\u{ad}\u{200b}-\u{200d}\u{2060}\u{feff}]/gu;

/**
 * Domains in a text that have neither a scheme nor `www.`, in lower case, each once: `beans.example` and
 * `t.me/beans`. Abbreviations, initials, mail addresses and names of files are none.
 */
export function findBareDomains(text: string): string[] {
  if (!text.includes(".")) return [];
  const visible = removeDisruptiveMarks(text).replaceAll(INVISIBLE_SIGNS, "").replaceAll(HIDING_SIGNS, " ");
  const found = (linkify.match(visible) ?? []).filter(
    ({ schema, text: it }) => schema === "" && isDomain(it),
  );
  return [...new Set(found.map(({ text: it }) => it.toLowerCase()))];
}

function isDomain(found: string): boolean {
  const [host = ""] = found.split(/[/?#:]/);
  const [ending = "", name = ""] = host.split(".").toReversed();
  if (/^www\./i.test(host) || FILE_ENDINGS.includes(ending.toLowerCase())) return false;
  // A title such as M.Sc, unless a path follows, as in t.me/beans.
  if (name.length === 1 && found === host) return false;
  // The first word of a sentence without a space before it: "I live in Rome.It is warm."
  return !/^\p{Lu}\p{Ll}$/u.test(ending);
}
