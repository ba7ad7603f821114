import type { MarkdownIt } from "markdown-it";

/** Characters of an address that are read: a text full of `www.` must not be read once for each. */
const LONGEST = 2_000;
const BEFORE = "http://www.";

/**
 * Links `www.example.org/beds` and `[beds](www.example.org)` as if the scheme were written; names without
 * `www.` (`notes.md`) stay text.
 */
export function wwwLinks(md: MarkdownIt) {
  const normalize = md.normalizeLink;
  md.normalizeLink = (address) => normalize(/^www\.[^\s/]/i.test(address) ? `http://${address}` : address);
  md.linkify.add("www.", {
    validate: (text, at, linkify) => {
      const length = linkify.testSchemaAt(BEFORE + text.slice(at, at + LONGEST), "http:", "http:".length);
      return Math.max(0, length - (BEFORE.length - "http:".length));
    },
    normalize: (found) => void (found.url = `http://${found.url}`),
  });
}
