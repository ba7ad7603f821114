import { StringDecoder } from "node:string_decoder";
import { Parser } from "htmlparser2";
import { getOwnProperty } from "#platform/objects";

export type OfficeKind = "word" | "slides" | "sheets" | "open" | "book";

/**
 * `holds`: parts of the file with its text or properties. Word stores footnotes and endnotes in parts of
 * their own. `pageOfPart`: parts that are one page each. `locks`: whether a part can state that the file is
 * encrypted.
 */
export const OFFICE_KINDS: Record<OfficeKind, { holds: RegExp; pageOfPart: RegExp | null; locks: boolean }> =
  {
    word: {
      holds: /^(word\/(document|footnotes|endnotes)\.xml|docProps\/core\.xml)$/,
      pageOfPart: null,
      locks: false,
    },
    slides: {
      holds: /^(ppt\/slides\/slide\d+\.xml|docProps\/core\.xml)$/,
      pageOfPart: /^ppt\/slides\//,
      locks: false,
    },
    sheets: {
      holds: /^(xl\/(sharedStrings|workbook)\.xml|xl\/worksheets\/sheet\d+\.xml|docProps\/core\.xml)$/,
      pageOfPart: null,
      locks: false,
    },
    open: { holds: /^(content\.xml|meta\.xml|META-INF\/manifest\.xml)$/, pageOfPart: null, locks: true },
    book: { holds: /\.(xhtml|html?|opf)$/i, pageOfPart: /\.(xhtml|html?)$/i, locks: false },
  };

export const findOfficeKind = (mime: string): OfficeKind | null => {
  if (mime.endsWith("wordprocessingml.document")) return "word";
  if (mime.endsWith("presentationml.presentation")) return "slides";
  if (mime.endsWith("spreadsheetml.sheet")) return "sheets";
  if (mime.startsWith("application/vnd.oasis.opendocument.")) return "open";
  return mime === "application/epub+zip" ? "book" : null;
};

/** Elements whose text is extracted; null: all text is. */
const TEXT_ELEMENTS: Record<OfficeKind, Set<string> | null> = {
  word: new Set(["w:t"]),
  slides: new Set(["a:t"]),
  sheets: new Set(["t"]),
  open: null,
  book: null,
};
/** Text that is added at the end of an element. */
const TEXT_AFTER: Record<string, string> = {
  "w:p": "\n",
  "a:p": "\n",
  si: "\n",
  is: "\n",
  "text:p": "\n",
  "text:h": "\n",
  "table:table-row": "\n",
  p: "\n",
  div: "\n",
  li: "\n",
  h1: "\n",
  h2: "\n",
  h3: "\n",
  h4: "\n",
  h5: "\n",
  h6: "\n",
  tr: "\n",
  td: " ",
  th: " ",
};
/** Text that is added at the beginning of an element. */
const TEXT_BEFORE: Record<string, string> = {
  "w:tab": " ",
  "w:br": "\n",
  "w:cr": "\n",
  "a:br": "\n",
  "text:tab": " ",
  "text:s": " ",
  "text:line-break": "\n",
  br: "\n",
};
/** Page breaks as the author's program saw them. */
const PAGE_BREAKS = new Set(["w:lastRenderedPageBreak", "text:soft-page-break"]);
/** Elements whose text is not content. */
const IGNORED_ELEMENTS = new Set([
  "script",
  "style",
  "head",
  "office:annotation",
  "office:settings",
  "office:styles",
  "office:automatic-styles",
]);

type FileProperties = { pages: number; language: string; locked: boolean };

/** Parses one part in chunks: passes its text to `addText` and stores properties of the file in `about`. */
export function parseOfficePart(
  kind: OfficeKind,
  name: string,
  addText: (text: string) => void,
  about: FileProperties,
) {
  const isAbout = /(core|meta|manifest)\.xml$|\.opf$/i.test(name);
  const open: string[] = [];
  let silent = 0;
  const parser = new Parser(
    {
      onopentag(element, given) {
        open.push(element);
        if (IGNORED_ELEMENTS.has(element)) silent += 1;
        if (element === "manifest:encryption-data") about.locked = true;
        if (element === "sheet" && given["name"]) addText(`${given["name"]}\n`);
        if (PAGE_BREAKS.has(element) || (element === "w:br" && given["w:type"] === "page")) nextPage();
        else if (element === "draw:page" && (about.pages += 1) > 1) addText("\f");
        else addText(getOwnProperty(TEXT_BEFORE, element) ?? "");
      },
      ontext(text) {
        const element = open.at(-1) ?? "";
        if (isAbout) return void (element === "dc:language" && (about.language = text));
        if (silent === 0 && (TEXT_ELEMENTS[kind]?.has(element) ?? true)) addText(text);
      },
      onclosetag(element) {
        open.pop();
        if (IGNORED_ELEMENTS.has(element)) silent -= 1;
        if (!isAbout) addText(getOwnProperty(TEXT_AFTER, element) ?? "");
      },
    },
    // E-books contain HTML with its entities.
    { xmlMode: kind !== "book", recognizeSelfClosing: true },
  );
  const nextPage = () => {
    about.pages = Math.max(1, about.pages) + 1;
    addText("\f");
  };
  const decoder = new StringDecoder("utf8");
  return {
    write: (piece: Buffer) => parser.write(decoder.write(piece)),
    end: () => parser.end(decoder.end()),
  };
}
