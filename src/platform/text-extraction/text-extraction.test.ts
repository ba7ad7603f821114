import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { type ExtractionLimits, extractFileIsolated } from "./isolated-reader.ts";
import { createDocx, createPdf, createZip, FILE_MIMES } from "../../../test/support/sample-files.ts";
import type { ExtractedText } from "./extracted-text.ts";
import { readOffice } from "./office.ts";
import { findOfficeKind } from "./office-kinds.ts";
import { readPdf } from "./pdf.ts";
import { readPlainText } from "./plain-text.ts";

const apart = (kind: keyof typeof FILE_MIMES, bytes: Buffer | string, limits: ExtractionLimits = {}) => {
  const all = Buffer.from(bytes);
  return extractFileIsolated(Readable.from([all]), { mime: FILE_MIMES[kind], size: all.length }, limits);
};
/** Extracts in this process, because starting a separate one is slow. */
const read = async (kind: keyof typeof FILE_MIMES, bytes: Buffer | string): Promise<ExtractedText> => {
  const until = Date.now() + 40_000;
  const office = findOfficeKind(FILE_MIMES[kind]);
  return office ? readOffice(Buffer.from(bytes), office, until) : readPdf(Buffer.from(bytes), until).found;
};

describe("text of a PDF", () => {
  test("gets extracted page by page, with a picture of the first page", async () => {
    const { picture, ...found } = await apart("pdf", createPdf(["Leeks in March", "Kale in May", ""]));
    expect(found).toEqual({
      state: "read",
      pages: 3,
      text: "Leeks in March\n\n\fKale in May\n\n\f",
      language: "",
    });
    expect(picture?.subarray(1, 4).toString()).toBe("PNG");
  });

  test("gets truncated after two thousand pages", async () => {
    const { state, pages, text } = await read(
      "pdf",
      createPdf(Array.from({ length: 2_100 }, (_, i) => `Page ${i + 1}`)),
    );
    expect([state, pages, text.split("\f").length]).toEqual(["cut", 2_100, 2_000]);
  });

  test.each([
    [
      "that requires a password",
      createPdf(["Leeks"], "encrypt=aes-256,user-password=seeds,owner-password=beds"),
      "locked",
    ],
    ["without text", createPdf([""]), "empty"],
    ["that is no PDF", "%PDF-1.7\nseeds and weeds", "broken"],
    ["that is truncated", createPdf(["Leeks"]).subarray(0, 200), "broken"],
  ])("has a final state for a file %s", async (_what, bytes, state) => {
    expect((await read("pdf", bytes)).state).toBe(state);
  });

  test("has the state too-much when extraction exceeds a limit of time or size", async () => {
    // Never ends, so the reader is still running when a limit is checked.
    const endless = () => new Readable({ read: () => {} });
    const file = { mime: FILE_MIMES.pdf, size: 1_000 };
    expect((await extractFileIsolated(endless(), file, { timeout: 20 })).state).toBe("too-much");
    if (process.platform === "linux")
      expect((await extractFileIsolated(endless(), file, { memory: 1_000_000 })).state).toBe("too-much");
    expect(
      (await extractFileIsolated(Readable.from(["x"]), { mime: FILE_MIMES.pdf, size: 300_000_000 })).state,
    ).toBe("too-much");
  });
});

describe("text of an office file", () => {
  const paragraph = (words: string) => `<w:p><w:r><w:t>${words}</w:t></w:r></w:p>`;
  const slide = (words: string) => `<p:sld><a:p><a:r><a:t>${words}</a:t></a:r></a:p></p:sld>`;
  const found = async (kind: keyof typeof FILE_MIMES, bytes: Buffer) => {
    const { state, pages, text, language } = await read(kind, bytes);
    return [state, pages, text.trim(), language];
  };

  test("includes notes and page breaks of Word", async () => {
    const body =
      `${paragraph("Leeks &amp; kale")}<w:p><w:r><w:lastRenderedPageBreak/><w:t>Second</w:t></w:r></w:p>` +
      `<w:del><w:delText>gone</w:delText></w:del>`;
    const core =
      "<cp:coreProperties><dc:title>secret title</dc:title><dc:language>de-DE</dc:language></cp:coreProperties>";
    const bytes = await createDocx(body, {
      "word/footnotes.xml": `<w:footnotes>${paragraph("A note")}</w:footnotes>`,
      "docProps/core.xml": core,
    });
    expect(await found("docx", bytes)).toEqual(["read", 2, "Leeks & kale\n\fSecond\n\nA note", "de"]);
  });

  test("can be extracted in an isolated process", async () => {
    expect(await apart("docx", await createDocx(paragraph("Leeks")))).toMatchObject({
      state: "read",
      picture: null,
    });
    expect(await apart("docx", "no zip")).toMatchObject({ state: "broken" });
  });

  test("has a page for each slide, in order", async () => {
    const bytes = await createZip({
      "ppt/slides/slide10.xml": slide("Ten"),
      "ppt/slides/slide2.xml": slide("Two"),
      "ppt/slides/slide1.xml": slide("One"),
    });
    expect(await found("pptx", bytes)).toEqual(["read", 3, "One\n\n\fTwo\n\n\fTen", ""]);
  });

  test("contains the names and texts of sheets", async () => {
    const bytes = await createZip({
      "xl/workbook.xml": '<workbook><sheets><sheet name="Beds"/></sheets></workbook>',
      "xl/sharedStrings.xml": "<sst><si><t>Leek</t></si><si><r><t>Ka</t></r><r><t>le</t></r></si></sst>",
      "xl/worksheets/sheet1.xml":
        '<worksheet><c t="inlineStr"><is><t>Chard</t></is></c><c><v>42</v></c></worksheet>',
    });
    expect(await found("xlsx", bytes)).toEqual(["read", null, "Leek\nKale\n\nBeds\n\nChard", ""]);
  });

  test("can be extracted from OpenDocument, unless the file is encrypted", async () => {
    const content = (body: string) =>
      `<office:document-content><office:automatic-styles>style</office:automatic-styles>` +
      `<office:body>${body}</office:body></office:document-content>`;
    const words = content(
      "<text:h>Beds</text:h><text:p>Leeks<text:s/>here<text:soft-page-break/>Kale</text:p>",
    );
    expect(await found("odt", await createZip({ "content.xml": words }))).toEqual([
      "read",
      2,
      "Beds\nLeeks here\fKale",
      "",
    ]);
    const slides = content(
      "<draw:page><text:p>One</text:p></draw:page><draw:page><text:p>Two</text:p></draw:page>",
    );
    expect(await found("odp", await createZip({ "content.xml": slides }))).toEqual([
      "read",
      2,
      "One\n\fTwo",
      "",
    ]);
    const locked =
      "<manifest:manifest><manifest:file-entry><manifest:encryption-data/></manifest:file-entry></manifest:manifest>";
    expect(
      (
        await found(
          "odt",
          await createZip({ "META-INF/manifest.xml": locked, "content.xml": "\u0001\u0002" }),
        )
      )[0],
    ).toBe("locked");
  });

  test("has a page for each chapter of an e-book", async () => {
    const bytes = await createZip({
      "OEBPS/1.xhtml":
        "<html><head><title>no</title></head><body><h1>One</h1><p>Seeds&nbsp;here</p></body></html>",
      "OEBPS/2.xhtml": "<body><p>Two</p></body>",
    });
    expect(await found("epub", bytes)).toEqual(["read", 2, "One\nSeeds here\n\n\fTwo", ""]);
  });

  test.each([
    ["is no valid archive", "docx", async () => Buffer.from("PK\u0003\u0004 nonsense"), "broken"],
    ["contains no text", "docx", () => createDocx(""), "empty"],
    ["contains broken markup", "docx", () => createDocx("<w:p><w:t>Leeks</w:p><<<"), "read"],
    [
      "is a decompression bomb",
      "docx",
      () => createDocx("", { "word/footnotes.xml": Buffer.alloc(210_000_000, " ") }),
      "too-much",
    ],
    [
      "contains more text than the limit",
      "docx",
      () => createDocx(`<w:t>${"leek ".repeat(500_000)}</w:t>`),
      "cut",
    ],
    [
      "contains nested entities",
      "docx",
      () => createDocx(`<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><w:t>&b;</w:t>`),
      "read",
    ],
  ] as const)("has a final state when the file %s", async (_what, kind, bytes, state) => {
    expect((await read(kind, await bytes())).state).toBe(state);
  });
});

test("plain text is decoded in its own charset", () => {
  expect(readPlainText(Buffer.from("Grüße\u0000\r\nKohl"), false)).toMatchObject({
    state: "read",
    text: "Grüße\nKohl",
  });
  expect(readPlainText(Buffer.from("Gr\u00fc\u00dfe", "latin1"), false).text).toBe("Grüße");
  expect(readPlainText(Buffer.from("Grü").subarray(0, 3), true)).toMatchObject({ state: "cut", text: "Gr" });
  expect(readPlainText(Buffer.from(" \n--- "), false).state).toBe("empty");
});
