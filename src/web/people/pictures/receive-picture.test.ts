import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { receivePicture } from "./receive-picture.ts";

const good = await sharp({ create: { width: 8, height: 8, channels: 3, background: "#fff" } })
  .png()
  .toBuffer();
const sent = (file: File | null, more: Record<string, string> = {}) => {
  const form = new FormData();
  if (file) form.set("picture", file);
  for (const [name, value] of Object.entries(more)) form.set(name, value);
  return receivePicture(form);
};
const file = (bytes: BlobPart, name: string, type: string) => new File([bytes], name, { type });

describe("picture form", () => {
  test("accepts the crop as numbers or as one of nine positions, and centers an invalid crop", async () => {
    const it = file(good, "me.png", "image/png");
    expect(await sent(it, { x: "0.2", y: "0.9", zoom: "3" })).toMatchObject({
      crop: { x: 0.2, y: 0.9, zoom: 3 },
    });
    expect(await sent(it, { position: "1,0" })).toMatchObject({ crop: { x: 1, y: 0, zoom: 1 } });
    expect(await sent(it, { position: "9,9" })).toMatchObject({ crop: { x: 0.5, y: 0.5, zoom: 1 } });
  });

  test.each([
    { x: "-0.1" },
    { x: "7" },
    { y: "1.01" },
    { zoom: "0" },
    { zoom: "11" },
    { x: "far" },
    { y: "Infinity" },
  ] as Record<string, string>[])("rejects a crop outside the picture: %j", async (part) => {
    await expect(sent(file(good, "me.png", "image/png"), part)).rejects.toMatchObject({
      reason: "invalid",
      fields: { picture: "The selected part is outside the picture." },
    });
  });

  test.each([
    ["missing", null, "invalid", /Choose a picture/],
    ["empty", file(new Uint8Array(), "me.png", "image/png"), "invalid", /Choose a picture/],
    [
      "text with the extension .png",
      file("words", "holiday.png", "image/png"),
      "wrong-type",
      /holiday\.png.*not a picture/,
    ],
    [
      "an SVG with a script",
      file("<svg><script/></svg>", "logo.svg", "image/svg+xml"),
      "wrong-type",
      /logo\.svg.*image\/svg\+xml/,
    ],
    [
      "over 8 MB",
      file(new Uint8Array(9_000_000), "big.jpg", "image/jpeg"),
      "too-large",
      /big\.jpg.*9\.0 MB.*8 MB/,
    ],
  ] as const)(
    "rejects a file that is %s, with an error that describes the problem",
    async (_what, upload, reason, words) => {
      await expect(sent(upload)).rejects.toMatchObject({
        reason,
        fields: { picture: expect.stringMatching(words) },
      });
    },
  );
});
