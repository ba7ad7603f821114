import PostalMime from "postal-mime";
import { describe, expect, test } from "vitest";
import { measureCpu } from "../../../test/support/cpu-time.ts";
import { correctCharsets } from "./correct-charsets.ts";

const read = (raw: Buffer) => PostalMime.parse(correctCharsets(raw));
const latin = (text: string) => Buffer.from(text, "latin1");

describe("subject of a mail", () => {
  test.each([
    ["raw UTF-8", Buffer.from("Subject: Grüße, Bohnen\r\n\r\nx")],
    ["raw windows-1252", latin("Subject: Gr\xfc\xdfe, Bohnen\r\n\r\nx")],
    [
      "letters split over encoded words",
      latin("Subject: =?utf-8?B?R3LDvMM=?=\r\n =?utf-8?B?n2UsIEJvaG5lbg==?=\r\n\r\nx"),
    ],
    [
      "letters split over quoted words",
      latin("Subject: =?utf-8?Q?Gr=C3=BC=C3?= =?utf-8?Q?=9Fe,_Bohnen?=\r\n\r\nx"),
    ],
    ["wrong label", latin("Subject: =?us-ascii?Q?Gr=C3=BC=C3=9Fe?=, Bohnen\r\n\r\nx")],
    ["unknown label", latin("Subject: =?unknown-8bit?B?R3L832U=?=, Bohnen\r\n\r\nx")],
    ["language in the label", latin("Subject: =?utf-8*de?Q?Gr=C3=BC=C3=9Fe?=, Bohnen\r\n\r\nx")],
  ])("has its characters decoded: %s", async (_name, raw) =>
    expect((await read(raw)).subject).toBe("Grüße, Bohnen"),
  );
});

describe("parts of a mail", () => {
  const multipart = (...parts: string[]) =>
    latin(
      `Subject: x\r\nContent-Type: multipart/mixed; ` +
        `boundary="b"\r\n\r\n${parts.map((part) => `--b\r\n${part}\r\n`).join("")}--b--\r\n`,
    );

  test("have their texts decoded by the character set of each part", async () => {
    const mail = await read(
      multipart(
        "Content-Type: text/plain; charset=us-ascii\r\n\r\nGr\xc3\xbc\xc3\x9fe",
        "Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nGr=FC=DFe",
        `Content-Type: text/plain;\r\n charset="us-ascii"\r\nContent-Transfer-Encoding: ` +
          `base64\r\n\r\n${Buffer.from("Grüße").toString("base64")}`,
      ),
    );
    expect(mail.text!.split(/\s+/).filter(Boolean)).toEqual(["Grüße", "Grüße", "Grüße"]);
  });

  test("keep the bytes of attachments", async () => {
    const mail = await read(
      multipart(
        "Content-Type: text/plain\r\n\r\n--x\r\nContent-Type: text/plain; charset=us-ascii\r\n\r\n\xc3\xbc",
        "Content-Type: image/png; name=a.png\r\nContent-Disposition: attachment; " +
          "filename=a.png\r\nContent-Transfer-Encoding: base64\r\n\r\n/wD+gA==",
      ),
    );
    expect(mail.text).toContain("--x\nContent-Type: text/plain; charset=us-ascii\n\nü");
    expect([...new Uint8Array(mail.attachments[0]!.content as ArrayBuffer)]).toEqual([255, 0, 254, 128]);
  });

  test("take little time to decode when they are hostile", async () => {
    const cost = await measureCpu(() => {
      for (const raw of [
        `To: ${"a".repeat(3_000_000)}`,
        `Subject: ${"=?utf-8?Q?a?= ".repeat(100_000)}\r\n\r\n`,
        "\xff\r\n".repeat(500_000),
        "--b\r\n".repeat(500_000),
        "Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n".repeat(20_000),
      ])
        correctCharsets(latin(raw));
    });
    expect(cost).toBeLessThan(20_000);
  });
});
