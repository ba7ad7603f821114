import { ColorSpace, Document, Matrix, type Page, type PDFPage } from "mupdf";
import { type ExtractedText, TextCollector, emptyExtraction } from "./extracted-text.ts";

const MAX_PAGES = 2_000;
/** Maximum pixels of the first page's picture. */
const PICTURE_SIZE = { width: 480, height: 640 };

/**
 * Extracts the text of a PDF page by page, and a picture of its first page. Starts no page after `until`
 * (milliseconds).
 */
export function readPdf(bytes: Buffer, until: number): { found: ExtractedText; picture: Uint8Array | null } {
  const document = openPdf(bytes);
  if (document === null) return { found: emptyExtraction("broken"), picture: null };
  if (document.needsPassword()) return { found: emptyExtraction("locked"), picture: null };
  const pages = document.countPages();
  if (pages === 0) return { found: emptyExtraction("broken"), picture: null };
  const gathered = new TextCollector();
  let read = 0;
  for (; read < Math.min(pages, MAX_PAGES) && Date.now() < until && !gathered.full; read += 1) {
    if (read > 0) gathered.add("\f");
    gathered.add(withPage(document, read, extractPageText) ?? "");
  }
  return {
    found: gathered.found(pages, readLanguage(document), read < pages),
    picture: withPage(document, 0, renderPage),
  };
}

function openPdf(bytes: Buffer): Document | null {
  try {
    return Document.openDocument(bytes, "application/pdf");
  } catch {
    return null;
  }
}

/** An unreadable page is skipped, and the other pages are still read. */
function withPage<T>(document: Document, index: number, work: (page: Page | PDFPage) => T): T | null {
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

function extractPageText(page: Page | PDFPage): string {
  const text = page.toStructuredText("dehyphenate");
  try {
    return text.asText();
  } finally {
    text.destroy();
  }
}

function renderPage(page: Page | PDFPage): Uint8Array {
  const [left, top, right, bottom] = page.getBounds();
  const scale = Math.min(
    PICTURE_SIZE.width / Math.max(1, right - left),
    PICTURE_SIZE.height / Math.max(1, bottom - top),
  );
  const pixels = page.toPixmap(Matrix.scale(scale, scale), ColorSpace.DeviceRGB, false, true);
  try {
    return pixels.asPNG();
  } finally {
    pixels.destroy();
  }
}

function readLanguage(document: Document): string {
  try {
    return document.asPDF()?.getTrailer().get("Root").get("Lang").asString() ?? "";
  } catch {
    return "";
  }
}
