import sharp, { type SharpOptions } from "sharp";
import { Refusal } from "#platform/refusal";
import { withAvifBrand, detectPictureKind } from "./picture-kinds.ts";

export { detectPictureKind } from "./picture-kinds.ts";

/** Pictures with more pixels are rejected before decoding; phones take photos of 48 to 64 megapixels. */
const MAX_PIXELS = 65_000_000;
/** Larger pictures are shrunk first: the decoder then decodes a JPEG at a fraction of its size. */
const LARGE_PICTURE = { pixels: 16_000_000, side: 4_096 };

/**
 * Crop of a picture: `x` and `y` are its centre in shares of the width and height (0 to 1); `zoom` 1 is the
 * largest crop that fits.
 */
export type Crop = { x: number; y: number; zoom: number };

/**
 * Decoder options of a picture. A truncated JPEG or PNG is shown as far as it was received, as in browsers;
 * other formats must be complete.
 * @throws `wrong-type` for anything but a picture
 */
function decodeOptions(bytes: Buffer): SharpOptions {
  const kind = detectPictureKind(bytes);
  if (kind === null) throw wrongTypeRefusal(NOT_A_PICTURE);
  const isShownInPart = kind === "jpeg" || kind === "png";
  return { limitInputPixels: MAX_PIXELS, failOn: isShownInPart ? "none" : "error", pages: 1 };
}

const NOT_A_PICTURE = { text: "This picture cannot be read. Use JPEG, PNG, WebP or GIF." };
const HEIC = {
  text:
    "HEIC pictures are not supported. Save the picture as JPEG, or set your phone's camera to " +
    "“Most compatible”.",
};
const wrongTypeRefusal = ({ text }: { text: string }) =>
  new Refusal("wrong-type", text, { fields: { picture: text } });

/**
 * Re-encodes a picture to WebP of exactly `width` × `height`, cropped by `crop` (by default its middle),
 * without metadata such as location and camera.
 * @throws `wrong-type` for anything but a picture, `too-large` above 65 megapixels
 */
export async function cropPicture(
  bytes: Buffer,
  size: { width: number; height: number },
  crop: Crop = { x: 0.5, y: 0.5, zoom: 1 },
): Promise<Buffer> {
  return rejectUnreadable(bytes, async (picture, reading) => {
    const upright = await sharp(await shrinkLarge(picture, reading), reading)
      .rotate()
      .toBuffer({ resolveWithObject: true });
    return sharp(upright.data)
      .extract(cropRectangle(upright.info, size, crop))
      .resize(size.width, size.height)
      .webp({ quality: 82 })
      .toBuffer();
  });
}

/** Renders an SVG of our own. Never call it with a user's file. */
export const renderSvg = (svg: Buffer, size: { width: number; height: number }): Promise<Buffer> =>
  sharp(svg).resize(size.width, size.height).webp({ quality: 82 }).toBuffer();

/**
 * Re-encodes a picture to WebP within `most` × `most` pixels, never enlarged, without metadata; an animation
 * keeps its first frame.
 * @throws like `cropPicture`
 */
export async function fitPicture(
  bytes: Buffer,
  most: number,
): Promise<{ bytes: Buffer; width: number; height: number }> {
  return rejectUnreadable(bytes, async (picture, reading) => {
    const { data, info } = await sharp(await shrinkLarge(picture, reading), reading)
      .rotate()
      .resize(most, most, { fit: "inside", withoutEnlargement: true })
      .webp({ quality: 82 })
      .toBuffer({ resolveWithObject: true });
    return { bytes: data, width: info.width, height: info.height };
  });
}

/**
 * Converts a stored picture to an icon: the whole picture, centred in a square PNG, with `free` (a share of
 * the side) left empty on each side; transparent, or on a background.
 */
export async function createIcon(
  bytes: Buffer,
  size: number,
  { free, background: colour }: { free: number; background?: string },
): Promise<Buffer> {
  const edge = Math.round(size * free);
  const background = colour ?? { r: 0, g: 0, b: 0, alpha: 0 };
  return sharp(bytes)
    .resize(size - 2 * edge, size - 2 * edge, { fit: "contain", background })
    .extend({ top: edge, bottom: edge, left: edge, right: edge, background })
    .flatten(colour === undefined ? false : { background: colour })
    .png()
    .toBuffer();
}

/** Shrinks a picture to 4096 × 4096 in its own orientation; returns smaller ones unchanged. */
async function shrinkLarge(bytes: Buffer, reading: SharpOptions): Promise<Buffer> {
  const { width, height, hasAlpha } = await sharp(bytes, reading).metadata();
  if (width * height <= LARGE_PICTURE.pixels) return bytes;
  const smaller = sharp(bytes, reading)
    .resize(LARGE_PICTURE.side, LARGE_PICTURE.side, { fit: "inside" })
    .keepExif()
    .keepIccProfile();
  return (hasAlpha ? smaller.png({ compressionLevel: 1 }) : smaller.jpeg({ quality: 95 })).toBuffer();
}

async function rejectUnreadable<T>(
  bytes: Buffer,
  work: (picture: Buffer, reading: SharpOptions) => Promise<T>,
): Promise<T> {
  try {
    const picture = detectPictureKind(bytes) === "avif" ? withAvifBrand(bytes) : bytes;
    return await work(picture, decodeOptions(bytes));
  } catch (error) {
    if (error instanceof Refusal) throw error;
    if (error instanceof Error && error.message.includes("pixel limit")) {
      const sentence = "This picture has more than 65 megapixels.";
      throw new Refusal("too-large", sentence, { fields: { picture: sentence } });
    }
    // Decoding HEIC needs a licence, so the usual build of the library cannot do it.
    throw wrongTypeRefusal(detectPictureKind(bytes) === "heic" ? HEIC : NOT_A_PICTURE);
  }
}

/**
 * Returns the rectangle of the wanted aspect ratio within the picture, as near to the requested centre as
 * possible.
 */
function cropRectangle(
  from: { width: number; height: number },
  to: { width: number; height: number },
  crop: Crop,
) {
  const fit = Math.min(from.width / to.width, from.height / to.height) / Math.min(10, Math.max(1, crop.zoom));
  const width = Math.max(1, Math.round(to.width * fit));
  const height = Math.max(1, Math.round(to.height * fit));
  const offset = (share: number, whole: number, part: number) =>
    Math.round(Math.min(whole - part, Math.max(0, Math.min(1, Math.max(0, share)) * whole - part / 2)));
  return { left: offset(crop.x, from.width, width), top: offset(crop.y, from.height, height), width, height };
}

/** True when the bytes look like output of `cropPicture`: WebP of that size, without metadata. */
export async function isCleanPicture(
  bytes: Buffer,
  size: { width: number; height: number },
): Promise<boolean> {
  try {
    const { format, width, height, exif, xmp, iptc, pages } = await sharp(bytes, {
      limitInputPixels: MAX_PIXELS,
    }).metadata();
    return (
      format === "webp" &&
      width === size.width &&
      height === size.height &&
      !exif &&
      !xmp &&
      !iptc &&
      (pages ?? 1) === 1
    );
  } catch {
    return false;
  }
}
