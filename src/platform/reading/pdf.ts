import { ColorSpace, Document, Matrix, type Page, type PDFPage } from "mupdf";
import { type Found, Gathered, nothing } from "./found.ts";

const MOST_PAGES = 2_000;
/** Maximum pixels of the first page's picture. */
const PICTURE = { width: 480, height: 640 };

/**
 * Extracts the text of a PDF page by page, and a picture of its first page. No page is begun after `until`
 * (ms).
 */
export function readPdf(bytes: Buffer, until: number): { found: Found; picture: Uint8Array | null } {
  const document = open(bytes);
  if (document === null) return { found: nothing("broken"), picture: null };
  if (document.needsPassword()) return { found: nothing("locked"), picture: null };
  const pages = document.countPages();
  if (pages === 0) return { found: nothing("broken"), picture: null };
  const gathered = new Gathered();
  let read = 0;
  for (; read < Math.min(pages, MOST_PAGES) && Date.now() < until && !gathered.full; read += 1) {
    if (read > 0) gathered.add("\f");
    gathered.add(onPage(document, read, wordsOf) ?? "");
  }
  return { found: gathered.found(pages, languageOf(document), read < pages), picture: onPage(document, 0, pictureOf) };
}

function open(bytes: Buffer): Document | null {
  try {
    return Document.openDocument(bytes, "application/pdf");
  } catch {
    return null;
  }
}

/** An unreadable page does not stop the others. */
function onPage<T>(document: Document, index: number, work: (page: Page | PDFPage) => T): T | null {
  try {
    const page = document.loadPage(index);
    try {
      return work(page);
    } finally {
      page.destroy();
    }
  } catch {
    return null;
  }
}

function wordsOf(page: Page | PDFPage): string {
  const text = page.toStructuredText("dehyphenate");
  try {
    return text.asText();
  } finally {
    text.destroy();
  }
}

function pictureOf(page: Page | PDFPage): Uint8Array {
  const [left, top, right, bottom] = page.getBounds();
  const scale = Math.min(PICTURE.width / Math.max(1, right - left), PICTURE.height / Math.max(1, bottom - top));
  const pixels = page.toPixmap(Matrix.scale(scale, scale), ColorSpace.DeviceRGB, false, true);
  try {
    return pixels.asPNG();
  } finally {
    pixels.destroy();
  }
}

function languageOf(document: Document): string {
  try {
    return document.asPDF()?.getTrailer().get("Root").get("Lang").asString() ?? "";
  } catch {
    return "";
  }
}
