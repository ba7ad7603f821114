/**
 * First bytes of the accepted formats. SVG is not among them because it can hold scripts, and a file name
 * proves nothing.
 */
const JPEG = /^\xff\xd8\xff/;
const PNG = /^\x89PNG\r\n\x1a\n/;
const OTHERS = [/^GIF8[79]a/, /^RIFF[^]{4}WEBP/];

/**
 * Brands of the container that AVIF shares with HEIC: either may use `mif1` and name its own among the
 * compatible brands.
 */
const AVIF = /^avi[fso]$/;
const HEIC = /^(hei[cxms]|hev[cx]|mif1|msf1)$/;
/** Bytes of the list of brands that are read; there are seldom more than six brands. */
const MOST_BRANDS = 256;

/** The format of a picture by its first bytes; `heic` is everything in that container that is not AVIF. */
export function pictureKind(bytes: Buffer): "jpeg" | "png" | "avif" | "heic" | "other" | null {
  const beginning = bytes.subarray(0, 16).toString("latin1");
  if (JPEG.test(beginning)) return "jpeg";
  if (PNG.test(beginning)) return "png";
  if (OTHERS.some((kind) => kind.test(beginning))) return "other";
  const brands = brandsIn(bytes);
  if (brands.some((brand) => AVIF.test(brand))) return "avif";
  return brands.some((brand) => HEIC.test(brand)) ? "heic" : null;
}

/** An AVIF with its own main brand: the library reads no further, and knows few brands. */
export function namedAvif(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  copy.write("avif", 8, "latin1");
  return copy;
}

/** Main and compatible brands of an ISO media file. */
function brandsIn(bytes: Buffer): string[] {
  if (bytes.length < 16 || bytes.toString("latin1", 4, 8) !== "ftyp") return [];
  const end = Math.min(bytes.readUInt32BE(0), bytes.length, MOST_BRANDS);
  const brands = [bytes.toString("latin1", 8, 12)];
  for (let at = 16; at + 4 <= end; at += 4) brands.push(bytes.toString("latin1", at, at + 4));
  return brands;
}
