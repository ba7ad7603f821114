import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { cutPicture } from "./index.ts";

const SIZE = { width: 40, height: 40 };
/** Left half red, right half blue. */
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

describe("a picture", () => {
  test("comes out in the wanted size, as WebP, without what the camera wrote into it", async () => {
    const facts = await sharp(await cutPicture(await halves(), SIZE)).metadata();
    expect(facts).toMatchObject({ format: "webp", width: 40, height: 40 });
    expect(facts.exif).toBeUndefined();
  });

  test.each([
    [0, "red"],
    [1, "blue"],
    [-5, "red"],
    [7, "blue"],
  ])("is cut where it was asked, and never outside of itself (x = %d)", async (x, colour) => {
    const cut = await cutPicture(await halves(), SIZE, { x, y: 0.5, zoom: 2 });
    const { channels } = await sharp(cut).stats();
    expect(channels[0]!.mean > channels[2]!.mean ? "red" : "blue").toBe(colour);
  });

  test.each([
    ["text", Buffer.from("this is no picture")],
    ["nothing", Buffer.alloc(0)],
    ["the beginning of one", Buffer.from("89504e470d0a1a0a", "hex")],
    ["half of one", null],
  ])("is refused when it is %s", async (_what, bytes) => {
    const given = bytes ?? (await halves()).subarray(0, 400);
    await expect(cutPicture(given, SIZE)).rejects.toMatchObject({ reason: "wrong-type" });
  });

  test("of more than 40 megapixels is refused before it is unpacked", async () => {
    const huge = await sharp({ create: { width: 10_000, height: 5_000, channels: 3, background: "#fff" } })
      .png({ compressionLevel: 9 })
      .toBuffer();
    await expect(cutPicture(huge, SIZE)).rejects.toMatchObject({ reason: "too-large" });
  });
});
