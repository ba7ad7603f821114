import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { cropPicture, fitPicture, detectPictureKind } from "./index.ts";

const plain = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: "#0a0" } });

/** An AVIF with the given main brand, as encoders of phones and image services write it. */
async function avifCalled(brand: string): Promise<Buffer> {
  const bytes = await plain(40, 20).avif({ quality: 50 }).toBuffer();
  bytes.write(brand, 8, "latin1");
  return bytes;
}

describe("AVIF", () => {
  test.each(["avif", "mif1", "miaf", "msf1"])(
    "with the major brand %s is recognised by its compatible brands",
    async (brand) => {
      const bytes = await avifCalled(brand);
      expect(detectPictureKind(bytes)).toBe("avif");
      expect(await fitPicture(bytes, 30)).toMatchObject({ width: 30, height: 15 });
    },
  );

  test("does not match HEIC, nor a video in the same container", () => {
    const file = (...brands: string[]) => {
      const names = brands.map((brand) => Buffer.from(brand, "latin1"));
      const size = Buffer.alloc(4);
      size.writeUInt32BE(12 + names.length * 4);
      return Buffer.concat([size, Buffer.from("ftyp"), names[0]!, Buffer.alloc(4), ...names.slice(1)]);
    };
    expect(detectPictureKind(file("mif1", "mif1", "heic"))).toBe("heic");
    expect(detectPictureKind(file("heic", "mif1"))).toBe("heic");
    expect(detectPictureKind(file("isom", "iso2", "mp41"))).toBeNull();
    expect(detectPictureKind(file("mif1", "miaf", "avif"))).toBe("avif");
  });
});

describe("photograph of 48 megapixels", () => {
  test("gets shrunk and rotated upright", async () => {
    const bytes = await plain(8_064, 6_048).jpeg({ quality: 40 }).withMetadata({ orientation: 6 }).toBuffer();
    expect(await fitPicture(bytes, 2_000)).toMatchObject({ width: 1_500, height: 2_000 });
    expect(await sharp(await cropPicture(bytes, { width: 400, height: 400 })).metadata()).toMatchObject({
      width: 400,
      height: 400,
    });
  });
});

describe("truncated JPEG", () => {
  test("shows its complete rows and leaves the rest empty, as in browsers", async () => {
    const noise = await sharp({
      create: {
        width: 400,
        height: 400,
        channels: 3,
        background: "#fff",
        noise: { type: "gaussian", mean: 128, sigma: 30 },
      },
    })
      .jpeg()
      .toBuffer();
    const half = noise.subarray(0, Math.round(noise.length / 2));
    const { bytes, ...size } = await fitPicture(half, 400);
    expect(size).toEqual({ width: 400, height: 400 });
    const rows = async (top: number) => {
      const part = await sharp(bytes).extract({ left: 0, top, width: 400, height: 40 }).png().toBuffer();
      return sharp(part).stats();
    };
    const [above, below] = [await rows(0), await rows(350)];
    expect(above.channels[0]!.stdev).toBeGreaterThan(10);
    expect(below.channels[0]!.stdev).toBeLessThan(5);
  });
});
