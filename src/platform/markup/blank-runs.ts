import { Parser } from "htmlparser2";

/** Maximum white-space characters in a row; no person writes more. */
const MAX_BLANKS = 400;
/** Characters that Turndown writes for a `br`. */
const BREAK_LENGTH = 3;
/** Number of characters parsed at once. */
const SHARE = 8_000;

/**
 * True if the text of some HTML has a very long run of white space: Turndown takes quadratic time over it.
 * Spaces and line ends that HTML shows as one space count as one.
 */
export function hasLongBlankRun(html: string): boolean {
  let [run, preformatted] = [0, 0];
  let [isTooLong, isCollapsed] = [false, false];
  const parser = new Parser({
    onopentagname(name) {
      if (name === "pre") preformatted++;
      // Pictures and table cells separate the white space before them from that after them.
      if (["img", "td", "th"].includes(name)) run = 0;
      if (name === "br") isTooLong ||= (run += BREAK_LENGTH) > MAX_BLANKS;
    },
    onclosetag: (name) => void (name === "pre" && preformatted--),
    ontext(text) {
      for (const [blanks] of text.matchAll(/[ \t\r\n]+|[^\S \t\r\n]+|\S+/g)) {
        const isSpace = /^[ \t\r\n]/.test(blanks);
        if (!isSpace && /\S/.test(blanks[0]!)) run = 0;
        else if (!isSpace || preformatted > 0) run += blanks.length;
        else if (!isCollapsed) run += 1;
        isCollapsed = isSpace;
        isTooLong ||= run > MAX_BLANKS;
      }
    },
  });
  for (let at = 0; at < html.length && !isTooLong; at += SHARE) parser.write(html.slice(at, at + SHARE));
  parser.end();
  return isTooLong;
}
