import fc from "fast-check";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { detectFileKind } from "./file-kinds.ts";
import { sanitizeFileName } from "./file-names.ts";

const kindOf = (name: string, bytes: Buffer | string) => {
  const all = Buffer.from(bytes);
  return detectFileKind({ name, head: all, tail: all });
};
const PDF = "%PDF-1.7\n%âãÏÓ\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n";
/** An empty archive, as it is at the end of a file. */
const ARCHIVE = Buffer.from("PK\u0005\u0006".padEnd(22, "\0"), "latin1");
const GIF = Buffer.from(
  "GIF89a\u0001\u0000\u0001\u0000\u0080\u0000\u0000\u0000\u0000\u0000\u00ff\u00ff\u00ff," +
    "\u0000\u0000\u0000\u0000\u0001\u0000\u0001\u0000\u0000\u0002\u0002D\u0001\u0000;",
  "latin1",
);

describe("file kind", () => {
  test.each([
    ["a PDF", "plan.pdf", PDF, "application/pdf"],
    ["a PDF with another file extension", "plan.txt", PDF, "application/pdf"],
    ["a text", "notes.txt", "Sow the leeks in March.\n", "text/plain"],
    ["a text in another alphabet", "notes", "Порей — в марте. 🌱", "text/plain"],
    ["a text in Latin-1", "notes.txt", Buffer.from("Gr\u00fc\u00dfe", "latin1"), "text/plain"],
    ["Markdown", "plan.MD", "# Beds\n\n<b>Leeks</b>", "text/markdown"],
    ["a table", "beds.csv", "plant,weeks\nLeek,11\n", "text/csv"],
    ["a GIF", "a.gif", GIF, "image/gif"],
  ])("follows from the bytes: %s", async (_what, name, bytes, mime) => {
    expect((await kindOf(name, bytes)).mime).toBe(mime);
  });

  test("follows from the bytes of pictures", async () => {
    const picture = sharp({ create: { width: 2, height: 2, channels: 3, background: "teal" } });
    expect((await kindOf("bed.pdf", await picture.png().toBuffer())).mime).toBe("image/png");
    expect((await kindOf("bed", await picture.jpeg().toBuffer())).mime).toBe("image/jpeg");
  });

  test.each([
    [
      "a web page named as a PDF",
      "plan.pdf",
      "<!doctype html><script>alert(1)</script>",
      "“plan.pdf” is a web page",
    ],
    ["a web page after many spaces", "plan.txt", `${" ".repeat(2_000)}<HTML>`, "web page"],
    [
      "an SVG drawing",
      "logo.svg",
      '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>',
      "drawing",
    ],
    ["a PDF that is also a web page", "plan.pdf", `%PDF-1.7\n<html><body>hello${PDF}`, "two types"],
    ["a GIF that is also an archive", "a.gif", Buffer.concat([GIF, ARCHIVE]), "two types"],
    ["a PDF that is also an archive", "a.pdf", Buffer.concat([Buffer.from(PDF), ARCHIVE]), "two types"],
    [
      "a Windows program",
      "setup.pdf",
      Buffer.from("MZ\u0090\u0000\u0003".padEnd(200, "\0"), "latin1"),
      "unsupported type",
    ],
    [
      "a Linux program",
      "run.txt",
      Buffer.from("\u007fELF\u0002\u0001\u0001".padEnd(200, "\0"), "latin1"),
      "unsupported type",
    ],
    ["an empty file", "empty.txt", "", "“empty.txt” is empty."],
    ["random bytes", "noise.bin", Buffer.from([0, 1, 2, 3, 4, 5, 250]), "unsupported type"],
  ])("leads to a refusal: %s", async (_what, name, bytes, words) => {
    await expect(kindOf(name, bytes)).rejects.toMatchObject({
      reason: "wrong-type",
      message: expect.stringContaining(words) as string,
    });
  });

  test("distinguishes AVIF under any of its brands from HEIC", async () => {
    const avif = await sharp({ create: { width: 8, height: 8, channels: 3, background: "#0a0" } })
      .avif()
      .toBuffer();
    avif.write("mif1", 8, "latin1");
    expect((await kindOf("beds.avif", avif)).mime).toBe("image/avif");
    const heic = Buffer.concat([
      Buffer.from("0000001866747970", "hex"),
      Buffer.from("heic\0\0\0\0mif1heic"),
      Buffer.alloc(200),
    ]);
    expect((await kindOf("beds.heic", heic)).mime).toBe("image/heic");
  });

  test("never throws for arbitrary bytes", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 300 }),
        fc.constantFrom("%PDF-1.7", "PK\u0003\u0004", "GIF89a", "RIFF", "ID3", ""),
        async (bytes, magic) => {
          const found = await kindOf("x", Buffer.concat([Buffer.from(magic, "latin1"), bytes])).catch(
            (error: { reason: string }) => error.reason,
          );
          expect(typeof found === "string" ? found : found.mime).toMatch(/^wrong-type$|\//);
        },
      ),
    );
  });
});

describe("file name", () => {
  test.each([
    ["../../etc/passwd", ["txt"], "passwd.txt"],
    ["C:\\Users\\mira\\plan.pdf", ["pdf"], "plan.pdf"],
    ["plan.pdf.exe", ["pdf"], "plan.pdf.exe.pdf"],
    ["plan\u202efdp.exe", ["pdf"], "planfdp.exe.pdf"],
    ["a\u0000b\nc.txt", ["txt"], "abc.txt"],
    ["", ["pdf"], "file.pdf"],
    ["...", ["pdf"], "file.pdf"],
    [".htaccess", ["txt"], "htaccess.txt"],
    ["Grüße (Öl).PDF", ["pdf"], "Grüße (Öl).pdf"],
    ["photo.jpeg", ["jpg", "jpeg"], "photo.jpeg"],
    ["👩‍🌾".repeat(200), ["pdf"], `${"👩‍🌾".repeat(30)}.pdf`],
    ["a".repeat(1_000), ["pdf"], `${"a".repeat(150)}.pdf`],
    ["half \ud83d.txt", ["txt"], "half \ufffd.txt"],
  ])("becomes safe for %j", (given, endings, kept) => expect(sanitizeFileName(given, endings)).toBe(kept));

  test("becomes safe for any input, and stays the same when sanitized again", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), (given) => {
        const name = sanitizeFileName(given, ["pdf"]);
        expect(name).toMatch(/^[^/\\\p{Cc}]+\.pdf$/u);
        expect(name.length).toBeLessThan(160);
        expect(sanitizeFileName(name, ["pdf"])).toBe(name);
      }),
    );
  });
});
