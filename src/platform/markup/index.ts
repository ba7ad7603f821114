import MarkdownIt from "markdown-it";
import sanitize from "sanitize-html";

const markdown = new MarkdownIt({ html: false, linkify: true, breaks: true, typographer: false, maxNesting: 40 });

// Headings start below the page's own and the post's, and leave no step out, whichever signs the author counted with.
markdown.core.ruler.push("lower-headings", (state) => {
  const above: number[] = [];
  for (const token of state.tokens) {
    if (token.type === "heading_open") {
      const level = Number(token.tag.slice(1));
      while ((above.at(-1) ?? 0) >= level) above.pop();
      above.push(level);
    }
    if (token.type === "heading_open" || token.type === "heading_close") token.tag = `h${Math.min(6, above.length + 2)}`;
  }
});

const TEXT = "p br hr strong em s del code pre blockquote ul ol li h3 h4 h5 h6 table thead tbody tr th td a".split(" ");

const rules: sanitize.IOptions = {
  allowedTags: TEXT,
  allowedAttributes: { a: ["href", "rel", "title"], ol: ["start"], th: ["style"], td: ["style"], code: ["class"] },
  allowedClasses: { code: [/^language-[\w-]{1,30}$/] },
  allowedStyles: { "*": { "text-align": [/^(left|right|center)$/] } },
  allowedSchemes: ["http", "https", "mailto"],
  allowedSchemesAppliedToAttributes: ["href"],
  transformTags: { a: (tag, attributes) => ({ tagName: tag, attribs: { ...attributes, rel: "noopener nofollow ugc" } }) },
  nestingLimit: 60,
};

/**
 * Markdown as a person wrote it, to the HTML that is stored beside it: rendered once, at the moment of writing.
 * Raw HTML in the text stays text. Links lead out without passing on where they come from.
 */
export const htmlOf = (text: string): string => sanitize(markdown.render(text), rules);

/** The plain words of a stored HTML, cut after `most` characters at a word: for excerpts and descriptions. */
export function excerptOf(html: string, most: number): string {
  // Stored HTML is our own: every "<" in it begins a tag, and what comes out is text, never markup.
  const plain = html
    .slice(0, most * 20 + 2_000)
    .replace(/<\/(?:p|li|h\d|td|th|blockquote|pre)>|<br ?\/?>/g, " ")
    .replace(/<[^>]*(?:>|$)/g, "")
    .replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity]!)
    .replace(/\s+/g, " ")
    .trim();
  if (plain.length <= most) return plain;
  const cut = plain.slice(0, most);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(" "), most - 30)).trimEnd()}…`;
}

const ENTITIES: Record<string, string> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'" };
