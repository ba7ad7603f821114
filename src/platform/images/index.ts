import sharp, { type SharpOptions } from "sharp";
import { Refusal } from "#platform/refusal";
import { namedAvif, pictureKind } from "./kinds.ts";

export { pictureKind } from "./kinds.ts";

/** Pictures above this many pixels are refused before they are unpacked: phones take photographs of 48 to 64 million. */
const MOST_PIXELS = 65_000_000;
/** What has more pixels is made smaller first: a JPEG is unpacked at a fraction of its size then, and never whole. */
const LARGE = { pixels: 16_000_000, side: 4_096 };

/** A part of a picture, in shares of its width and height (0 to 1); `zoom` 1 is the largest that fits. */
export type Crop = { x: number; y: number; zoom: number };

/**
 * How a picture is read. Of a JPEG or PNG that broke off on its way what has come is shown, as browsers do; anything else
 * has to be whole. Throws `wrong-type` for what is no picture.
 */
function readingOf(bytes: Buffer): SharpOptions {
  const kind = pictureKind(bytes);
  if (kind === null) throw notReadable(NO_PICTURE);
  const isShownInPart = kind === "jpeg" || kind === "png";
  return { limitInputPixels: MOST_PIXELS, failOn: isShownInPart ? "none" : "error", pages: 1 };
}

const NO_PICTURE = { say: "That is not a picture we can read. JPEG, PNG, WebP and GIF work." };
const HEIC = { say: "HEIC pictures cannot be read here. Save it as JPEG, or let your phone take pictures as JPEG (“most compatible”)." };
const notReadable = ({ say }: { say: string }) => new Refusal("wrong-type", say, { fields: { picture: say } });

/**
 * Re-encodes a picture to WebP of exactly `width` × `height`, cut out by `crop` (by default its middle).
 * Everything that is not the picture (place, camera, comments) is left behind. Throws `wrong-type` for what is
 * no picture and `too-large` for more than 65 megapixels.
 */
export async function cutPicture(
  bytes: Buffer,
  size: { width: number; height: number },
  crop: Crop = { x: 0.5, y: 0.5, zoom: 1 },
): Promise<Buffer> {
  return readable(bytes, async (picture, reading) => {
    const upright = await sharp(await shrunk(picture, reading), reading)
      .rotate()
      .toBuffer({ resolveWithObject: true });
    return sharp(upright.data)
      .extract(partOf(upright.info, size, crop))
      .resize(size.width, size.height)
      .webp({ quality: 82 })
      .toBuffer();
  });
}

/** A drawing of our own as a picture. Those of others are programs, and are taken nowhere. */
export const paintDrawing = (svg: Buffer, size: { width: number; height: number }): Promise<Buffer> =>
  sharp(svg).resize(size.width, size.height).webp({ quality: 82 }).toBuffer();

/**
 * Re-encodes a picture to WebP within `most` × `most` pixels, never larger than it was. What is not the picture is left
 * behind, and of a moving one the first still remains. Refuses as `cutPicture` does.
 */
export async function fitPicture(bytes: Buffer, most: number): Promise<{ bytes: Buffer; width: number; height: number }> {
  return readable(bytes, async (picture, reading) => {
    const { data, info } = await sharp(await shrunk(picture, reading), reading)
      .rotate()
      .resize(most, most, { fit: "inside", withoutEnlargement: true })
      .webp({ quality: 82 })
      .toBuffer({ resolveWithObject: true });
    return { bytes: data, width: info.width, height: info.height };
  });
}

/** A picture of ours as an icon: whole, in the middle of a square PNG, with so much of it left free on each side (in shares); see-through, or on a ground. */
export async function iconOf(bytes: Buffer, size: number, { free, ground }: { free: number; ground?: string }): Promise<Buffer> {
  const edge = Math.round(size * free);
  const background = ground ?? { r: 0, g: 0, b: 0, alpha: 0 };
  return sharp(bytes)
    .resize(size - 2 * edge, size - 2 * edge, { fit: "contain", background })
    .extend({ top: edge, bottom: edge, left: edge, right: edge, background })
    .flatten(ground === undefined ? false : { background: ground })
    .png()
    .toBuffer();
}

/** The same picture within 4096 × 4096, lying as it lay; one that is not large stays as it is. */
async function shrunk(bytes: Buffer, reading: SharpOptions): Promise<Buffer> {
  const { width, height, hasAlpha } = await sharp(bytes, reading).metadata();
  if (width * height <= LARGE.pixels) return bytes;
  const smaller = sharp(bytes, reading).resize(LARGE.side, LARGE.side, { fit: "inside" }).keepExif().keepIccProfile();
  return (hasAlpha ? smaller.png({ compressionLevel: 1 }) : smaller.jpeg({ quality: 95 })).toBuffer();
}

async function readable<T>(bytes: Buffer, work: (picture: Buffer, reading: SharpOptions) => Promise<T>): Promise<T> {
  try {
    const picture = pictureKind(bytes) === "avif" ? namedAvif(bytes) : bytes;
    return await work(picture, readingOf(bytes));
  } catch (error) {
    if (error instanceof Refusal) throw error;
    if (error instanceof Error && error.message.includes("pixel limit")) {
      const sentence = "That picture has more than 65 megapixels.";
      throw new Refusal("too-large", sentence, { fields: { picture: sentence } });
    }
    // What is inside needs a licence to be read: the library has it only where it was built with it.
    throw notReadable(pictureKind(bytes) === "heic" ? HEIC : NO_PICTURE);
  }
}

/** The rectangle of the wanted shape that lies inside the picture, as near to the asked middle as it can. */
function partOf(from: { width: number; height: number }, to: { width: number; height: number }, crop: Crop) {
  const fit = Math.min(from.width / to.width, from.height / to.height) / Math.min(10, Math.max(1, crop.zoom));
  const width = Math.max(1, Math.round(to.width * fit));
  const height = Math.max(1, Math.round(to.height * fit));
  const place = (share: number, whole: number, part: number) =>
    Math.round(Math.min(whole - part, Math.max(0, Math.min(1, Math.max(0, share)) * whole - part / 2)));
  return { left: place(crop.x, from.width, width), top: place(crop.y, from.height, height), width, height };
}

/** Whether these bytes are as `cutPicture` makes them: WebP of that size, and nothing else in them. */
export async function isClean(bytes: Buffer, size: { width: number; height: number }): Promise<boolean> {
  try {
    const { format, width, height, exif, xmp, iptc, pages } = await sharp(bytes, { limitInputPixels: MOST_PIXELS }).metadata();
    return format === "webp" && width === size.width && height === size.height && !exif && !xmp && !iptc && (pages ?? 1) === 1;
  } catch {
    return false;
  }
}
