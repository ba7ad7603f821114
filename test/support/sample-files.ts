import { PDFDocument, Font } from "mupdf";
import { buffer } from "node:stream/consumers";
import { ZipFile } from "yazl";

/** Creates a PDF with one page per line. */
export function createPdf(lines: string[], save = "compress"): Buffer {
  const document = new PDFDocument();
  const font = document.addSimpleFont(new Font("Helvetica"));
  const resources = document.addObject({ Font: { F1: font } });
  for (const line of lines)
    document.insertPage(
      -1,
      document.addPage([0, 0, 595, 842], 0, resources, `BT /F1 24 Tf 72 700 Td (${line}) Tj ET`),
    );
  return Buffer.from(document.saveToBuffer(save).asUint8Array());
}

/** Creates a zip of these parts, in this order. */
export async function createZip(parts: Record<string, string | Buffer>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(parts)) zip.addBuffer(Buffer.from(content), name);
  zip.end();
  return buffer(zip.outputStream);
}

const OFFICE_MIME = "application/vnd.openxmlformats-officedocument";
export const FILE_MIMES = {
  pdf: "application/pdf",
  docx: `${OFFICE_MIME}.wordprocessingml.document`,
  pptx: `${OFFICE_MIME}.presentationml.presentation`,
  xlsx: `${OFFICE_MIME}.spreadsheetml.sheet`,
  odt: "application/vnd.oasis.opendocument.text",
  odp: "application/vnd.oasis.opendocument.presentation",
  epub: "application/epub+zip",
};

export const createDocx = (body: string, more: Record<string, string | Buffer> = {}) =>
  createZip({
    "[Content_Types].xml":
      `<?xml version="1.0"?><Types ` +
      `xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override ` +
      `PartName="/word/document.xml" ContentType="${OFFICE_MIME}.wordprocessingml.document.main+xml"/></Types>`,
    "word/document.xml": `<?xml version="1.0"?><w:document xmlns:w="x"><w:body>${body}</w:body></w:document>`,
    ...more,
  });
