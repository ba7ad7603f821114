/** A heading with its anchor. */
export type Heading = { id: string; text: string; level: number };

const HEADING = /<h([2-6])>([\s\S]*?)<\/h\1>/g;
/** Level of the highest heading in a document: the page has the h1, the document's section the h2. */
const TOP_LEVEL = 3;

/**
 * Adds anchors to the headings of sanitized HTML; returns the HTML and its outline. The highest headings
 * become `h3`, whatever level the author used, so that no level is skipped.
 */
export function addHeadingAnchors(html: string): { html: string; headings: Heading[] } {
  const levels = [...html.matchAll(HEADING)].map((match) => Number(match[1]));
  const shift = TOP_LEVEL - Math.min(...levels, 6);
  const headings: Heading[] = [];
  const taken = new Map<string, number>();
  const anchored = html.replace(HEADING, (_whole, given: string, inner: string) => {
    const text = stripHtml(inner);
    const id = uniqueId(text, taken);
    const level = Math.min(6, Number(given) + shift);
    headings.push({ id, text, level });
    return `<h${level} id="${id}">${inner}</h${level}>`;
  });
  return {
    html: anchored,
    headings: headings.filter((heading) => heading.text !== "" && heading.level <= TOP_LEVEL + 1),
  };
}

const stripHtml = (html: string) =>
  html
    .replace(/<[^>]*>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&")
    .trim();

/**
 * Creates an id from letters and digits of any script. Its prefix prevents conflicts with the page's other
 * ids.
 */
function uniqueId(text: string, taken: Map<string, number>): string {
  const base = `s-${
    text
      .toLowerCase()
      .normalize("NFC")
      .replace(/[^\p{L}\p{N}]+/gu, "-")
      .replace(/^-|-$/g, "")
      .slice(0, 60) || "part"
  }`;
  const last = taken.get(base);
  if (last === undefined) {
    taken.set(base, 1);
    return base;
  }
  // Continues from the last number: counting from two each time would take quadratic time.
  let n = last + 1;
  while (taken.has(`${base}-${n}`)) n += 1;
  taken.set(base, n).set(`${base}-${n}`, 1);
  return `${base}-${n}`;
}
