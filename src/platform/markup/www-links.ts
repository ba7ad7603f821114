import type { MarkdownIt } from "markdown-it";

/**
 * Maximum characters of an address that are read: a text full of `www.` must not be read to its end at each
 * of them.
 */
const MAX_LENGTH = 2_000;
const HTTP_WWW = "http://www.";

/**
 * Links `www.example.org/beds` and `[beds](www.example.org)` as if they began with a scheme; names without
 * `www.` (`notes.md`) stay text.
 */
export function addWwwLinks(md: MarkdownIt) {
  const normalize = md.normalizeLink;
  md.normalizeLink = (address) => normalize(/^www\.[^\s/]/i.test(address) ? `http://${address}` : address);
  md.linkify.add("www.", {
    validate: (text, at, linkify) => {
      const length = linkify.testSchemaAt(
        HTTP_WWW + text.slice(at, at + MAX_LENGTH),
        "http:",
        "http:".length,
      );
      return Math.max(0, length - (HTTP_WWW.length - "http:".length));
    },
    normalize: (found) => void (found.url = `http://${found.url}`),
  });
}
