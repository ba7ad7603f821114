import { describe, expect, test } from "vitest";
import { parseMail } from "./index.ts";

const latin = (text: string) => Buffer.from(text, "latin1");
const mail = (head: string[], body: Buffer | string) =>
  Buffer.concat([Buffer.from(`From: kim@example.org\n${head.join("\n")}\n\n`, "latin1"), Buffer.from(body)]);
const textOf = async (type: string, body: Buffer | string) =>
  (await parseMail(mail([`Content-Type: ${type}`], body))).text?.trim();
const subjectOf = async (subject: string | Buffer) =>
  (
    await parseMail(
      Buffer.concat([
        Buffer.from("Subject: "),
        Buffer.from(subject),
        Buffer.from("\nFrom: kim@example.org\n\nHi"),
      ]),
    )
  ).subject;

describe("text of a mail", () => {
  test.each([
    ["us-ascii", Buffer.from("Grüße")],
    ["unknown-8bit", Buffer.from("Grüße")],
    ["utf-8*fr", Buffer.from("Grüße")],
    ["iso-8859-1", Buffer.from("Grüße")],
    ["us-ascii", latin("Grüße")],
    ["unknown-8bit", latin("Grüße")],
    ["utf-8", latin("Grüße")],
    ["iso-8859-15", latin("Grüße")],
    ["cp850", latin("Gr\x81\xE1e")],
    ["x-mac-roman", latin("Gr\x9F\xA7e")],
    ["utf-7", Buffer.from("Gr+APwA3w-e")],
    ["base64", latin("Grüße")],
  ])("gets decoded by its bytes even with the label %s (%j)", async (label, bytes) => {
    expect(await textOf(`text/plain; charset=${label}`, bytes)).toBe("Grüße");
  });

  test("gets decoded by its label when its bytes do not reveal the encoding", async () => {
    expect(await textOf("text/plain; charset=iso-2022-jp", "\x1B$BF|K\\8l\x1B(B")).toBe("日本語");
    expect(await textOf("text/plain; charset=big5", latin("\xA7\xDA\xA6n"))).toBe("我好");
    expect(await textOf("text/plain; charset=windows-1251", latin("\xCF\xF0\xE8\xE2\xE5\xF2"))).toBe(
      "Привет",
    );
  });

  test("remains UTF-8 when one byte is damaged", async () => {
    const bytes = Buffer.concat([
      Buffer.from("Grüße aus dem Gärtchen, "),
      Buffer.from([0xc3]),
      Buffer.from(" viele"),
    ]);
    expect(await textOf("text/plain; charset=utf-8", bytes)).toBe("Grüße aus dem Gärtchen, \uFFFD viele");
  });

  test("gets decoded within multiparts, and attachments keep their bytes", async () => {
    const parts = [
      "--b\nContent-Type: text/html; charset=us-ascii\nContent-Transfer-Encoding: " +
        "quoted-printable\n\n<p>Gr=C3=BC=C3=9Fe</p>",
      "--b\nContent-Type: text/plain; charset=utf-8\nContent-Disposition: attachment; filename=a.txt\n\n\xFCber\n--b--",
    ];
    const read = await parseMail(
      mail(['Content-Type: multipart/mixed; boundary="b"'], latin(parts.join("\n"))),
    );
    expect(read.html?.trim()).toBe("<p>Grüße</p>");
    expect(Buffer.from(read.attachments[0]!.content as ArrayBuffer).toString("latin1")).toBe("\xFCber\n");
  });
});

describe("mail headers", () => {
  test.each<[string, string | Buffer]>([
    ["raw UTF-8", "Grüße an alle"],
    ["raw Latin-1", latin("Grüße an alle")],
    ["a wrong label", "=?us-ascii?q?Gr=C3=BC=C3=9Fe_an?= alle"],
    ["spaces in a word", "=?utf-8?Q?Gr=C3=BC=C3=9Fe an alle?="],
    ["a letter split over two words", "=?UTF-8?B?R3LD?= =?UTF-8?B?vMOfZSBhbiBhbGxl?="],
    ["no white space between words", "=?UTF-8?Q?Gr=C3=BC=C3=9Fe?==?iso-8859-1?Q?_an_alle?="],
    ["a folded line", "=?utf-8?q?Gr=C3=BC=C3=9Fe_?=\n =?utf-8?q?an_alle?="],
  ])("with %s give a decoded subject", async (_, subject) => {
    expect(await subjectOf(subject)).toBe("Grüße an alle");
  });

  test("give the sender's address, even if the display name is an encoded address", async () => {
    const read = await parseMail(latin("From: Zoë Müller <zoe@example.org>\nSubject: x\n\nHi"));
    expect(read.from).toMatchObject({ name: "Zoë Müller", address: "zoe@example.org" });
    const forged = await parseMail(
      Buffer.from("From: =?utf-8?q?ada=40example.org?= <kim@example.org>\nSubject: x\n\nHi"),
    );
    expect(forged.from).toMatchObject({ address: "kim@example.org" });
  });
});
