import { crc32 } from "node:zlib";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { cropPicture, fitPicture } from "./index.ts";

const SIZE = { width: 40, height: 40 };
/** Creates a picture whose left half is red and whose right half is blue. */
const halves = async () => {
  const half = (background: string) =>
    sharp({ create: { width: 50, height: 100, channels: 3, background } })
      .png()
      .toBuffer();
  const [left, right] = await Promise.all([half("#f00"), half("#00f")]);
  return sharp({ create: { width: 100, height: 100, channels: 3, background: "#fff" } })
    .composite([
      { input: left, left: 0, top: 0 },
      { input: right, left: 50, top: 0 },
    ])
    .withExif({ IFD3: { GPSLatitude: "51/1 0/1 0/1" } })
    .jpeg()
    .toBuffer();
};

describe("pictures", () => {
  test("become WebP of the wanted size, without camera metadata", async () => {
    const facts = await sharp(await cropPicture(await halves(), SIZE)).metadata();
    expect(facts).toMatchObject({ format: "webp", width: 40, height: 40 });
    expect(facts.exif).toBeUndefined();
  });

  test.each([
    [0, "red"],
    [1, "blue"],
    [-5, "red"],
    [7, "blue"],
  ])("get cropped at the requested position, within the picture (x = %d)", async (x, colour) => {
    const cut = await cropPicture(await halves(), SIZE, { x, y: 0.5, zoom: 2 });
    const { channels } = await sharp(cut).stats();
    expect(channels[0]!.mean > channels[2]!.mean ? "red" : "blue").toBe(colour);
  });

  test.each([
    ["text", Buffer.from("this is no picture")],
    ["empty", Buffer.alloc(0)],
    ["the beginning of a picture", Buffer.from("89504e470d0a1a0a", "hex")],
    ["half of a picture", null],
  ])("get rejected when the file is %s", async (_what, bytes) => {
    const content = bytes ?? (await halves()).subarray(0, 400);
    await expect(cropPicture(content, SIZE)).rejects.toMatchObject({ reason: "wrong-type" });
  });

  test.each([
    ["a text with a picture's name", Buffer.from("just words, named holiday.png")],
    [
      "an SVG with a script",
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
    ],
    [
      "an SVG with an XML declaration",
      Buffer.from('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
    ],
    ["a TIFF", Buffer.from("49492a0008000000", "hex")],
  ])("get rejected when the file is %s", async (_what, bytes) => {
    await expect(cropPicture(bytes, SIZE)).rejects.toMatchObject({
      reason: "wrong-type",
      fields: { picture: expect.any(String) },
    });
    await expect(fitPicture(bytes, 40)).rejects.toMatchObject({ reason: "wrong-type" });
  });

  test.each(["heic", "mif1"])("in HEIC format (%s) are rejected with advice to use JPEG", async (brand) => {
    const bytes = Buffer.concat([
      Buffer.from("00000018", "hex"),
      Buffer.from(`ftyp${brand}`),
      Buffer.alloc(400),
    ]);
    await expect(cropPicture(bytes, SIZE)).rejects.toMatchObject({
      reason: "wrong-type",
      fields: { picture: expect.stringMatching(/HEIC.*JPEG/) },
    });
  });

  test("get rejected above 65 megapixels, before decoding", async () => {
    const huge = await sharp({ create: { width: 10_000, height: 7_000, channels: 3, background: "#fff" } })
      .png({ compressionLevel: 9 })
      .toBuffer();
    await expect(cropPicture(huge, SIZE)).rejects.toMatchObject({ reason: "too-large" });
  });

  test("get rejected if the header claims 100 megapixels", async () => {
    const one = await sharp({ create: { width: 8, height: 8, channels: 3, background: "#fff" } })
      .png()
      .toBuffer();
    const header = Buffer.from(one.subarray(0, 33));
    header.writeUInt32BE(10_000, 16);
    header.writeUInt32BE(10_000, 20);
    header.writeUInt32BE(crc32(header.subarray(12, 29)), 29);
    const hollow = Buffer.concat([header, one.subarray(33)]);
    await expect(cropPicture(hollow, SIZE)).rejects.toMatchObject({ reason: "too-large" });
    await expect(fitPicture(hollow, 40)).rejects.toMatchObject({ reason: "too-large" });
  });

  test("contain only the first frame of an animation", async () => {
    const still = (background: string) => ({
      create: { width: 64, height: 64, channels: 3 as const, background },
    });
    const frames = await Promise.all(
      ["#f00", ...Array.from({ length: 200 }, (_, n) => (n % 2 ? "#00f" : "#0f0"))].map((colour) =>
        sharp(still(colour)).png().toBuffer(),
      ),
    );
    const moving = await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer();
    expect((await sharp(moving).metadata()).pages).toBe(201);
    const cut = sharp(await cropPicture(moving, SIZE));
    expect((await cut.metadata()).pages ?? 1).toBe(1);
    expect((await cut.stats()).dominant.r).toBeGreaterThan(200);
  });
});
