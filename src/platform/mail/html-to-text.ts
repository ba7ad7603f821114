import { Parser } from "htmlparser2";

const BLOCK_ELEMENTS = new Set([
  "p",
  "div",
  "section",
  "li",
  "tr",
  "h1",
  "h2",
  "h3",
  "h4",
  "h5",
  "h6",
  "pre",
  "ul",
  "ol",
  "table",
  "blockquote",
]);
const SKIPPED_ELEMENTS = new Set(["style", "script", "head", "title", "template"]);
const VOID_ELEMENTS = new Set([
  "br",
  "img",
  "hr",
  "meta",
  "link",
  "input",
  "base",
  "col",
  "wbr",
  "area",
  "source",
]);

/** Number of characters parsed at once. */
const SHARE = 8_000;
/** Maximum nesting of elements. */
const DEEPEST = 300;

/** Converts HTML to plain text for mail, with the address of each link after the link's text. */
export function htmlToText(html: string): string {
  let words = "";
  let hidden = 0;
  const open: { hides: boolean; href: string | null }[] = [];
  const addText = (text: string) => void (hidden === 0 && (words += text));
  const parser = new Parser({
    onopentag(name, { href = "", alt = "" }) {
      if (VOID_ELEMENTS.has(name))
        return addText(name === "br" ? "\n" : name === "hr" ? "\n\n" : name === "img" ? alt : "");
      const hides = SKIPPED_ELEMENTS.has(name);
      open.push({ hides, href: name === "a" && /^(https?|mailto):/i.test(href) ? href : null });
      if (hides) hidden++;
      else if (BLOCK_ELEMENTS.has(name)) addText(name === "li" ? "\n- " : name === "tr" ? "\n" : "\n\n");
    },
    ontext: (text) => addText(text.replace(/\s+/g, " ")),
    onclosetag(name) {
      if (VOID_ELEMENTS.has(name)) return;
      const { hides = false, href = null } = open.pop() ?? {};
      if (hides) hidden--;
      else if (href !== null) addText(words.endsWith(href.replace(/^mailto:/i, "")) ? "" : ` (${href})`);
      else if (name === "td" || name === "th") addText(" ");
      else if (BLOCK_ELEMENTS.has(name) && name !== "li" && name !== "tr") addText("\n\n");
    },
  });
  // Deeper nesting than in any real mail is an attack on the parser: the text is cut there.
  for (let at = 0; at < html.length && open.length < DEEPEST; at += SHARE)
    parser.write(html.slice(at, at + SHARE));
  parser.end();
  return words
    .replace(/[^\S\n]*\n[^\S\n]*/g, "\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}
