import sharp from "sharp";
import { Refusal } from "#platform/refusal";

/** Pictures above this many pixels are refused before they are unpacked. */
const MOST_PIXELS = 40_000_000;

/** A part of a picture, in shares of its width and height (0 to 1); `zoom` 1 is the largest that fits. */
export type Crop = { x: number; y: number; zoom: number };

/** The first bytes of the kinds of pictures that are taken: a drawing (SVG) is a program, and a name proves nothing. */
const KINDS = [/^\xff\xd8\xff/, /^\x89PNG\r\n\x1a\n/, /^GIF8[79]a/, /^RIFF[^]{4}WEBP/, /^[^]{4}ftyp(avif|avis)/];

/** How phones of one house name theirs: what is inside needs a licence to be read. */
const PHONE_KIND = /^[^]{4}ftyp(heic|heix|heim|heis|hevc|hevx|mif1|msf1)/;

function assertKind(bytes: Buffer): void {
  const beginning = bytes.subarray(0, 16).toString("latin1");
  if (PHONE_KIND.test(beginning)) throw notReadable(HEIC);
  if (!KINDS.some((kind) => kind.test(beginning))) throw notReadable(NO_PICTURE);
}

const NO_PICTURE = { say: "That is not a picture we can read. JPEG, PNG, WebP and GIF work." };
const HEIC = { say: "HEIC pictures cannot be read here. Save it as JPEG, or let your phone take pictures as JPEG (“most compatible”)." };
const notReadable = ({ say }: { say: string }) => new Refusal("wrong-type", say, { fields: { picture: say } });

/**
 * Re-encodes a picture to WebP of exactly `width` × `height`, cut out by `crop` (by default its middle).
 * Everything that is not the picture (place, camera, comments) is left behind. Throws `wrong-type` for what is
 * no picture and `too-large` for more than 40 megapixels.
 */
export async function cutPicture(
  bytes: Buffer,
  size: { width: number; height: number },
  crop: Crop = { x: 0.5, y: 0.5, zoom: 1 },
): Promise<Buffer> {
  return readable(async () => {
    assertKind(bytes);
    const upright = await sharp(bytes, { limitInputPixels: MOST_PIXELS, failOn: "error", pages: 1 })
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
  return readable(async () => {
    assertKind(bytes);
    const { data, info } = await sharp(bytes, { limitInputPixels: MOST_PIXELS, failOn: "error", pages: 1 })
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

async function readable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refusal) throw error;
    if (error instanceof Error && error.message.includes("pixel limit")) {
      const sentence = "That picture has more than 40 megapixels.";
      throw new Refusal("too-large", sentence, { fields: { picture: sentence } });
    }
    throw notReadable(NO_PICTURE);
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
