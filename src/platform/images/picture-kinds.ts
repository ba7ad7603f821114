/**
 * First bytes of the accepted formats. SVG is not accepted because it can hold scripts. File names are
 * ignored, because they prove nothing.
 */
const JPEG_SIGNATURE = /^\xff\xd8\xff/;
const PNG_SIGNATURE = /^\x89PNG\r\n\x1a\n/;
const OTHER_SIGNATURES = [/^GIF8[79]a/, /^RIFF[^]{4}WEBP/];

/**
 * Brands of the container that AVIF and HEIC share: both may use `mif1` as main brand and list their own
 * among the compatible brands.
 */
const AVIF_BRAND = /^avi[fso]$/;
const HEIC_BRAND = /^(hei[cxms]|hev[cx]|mif1|msf1)$/;
/** Maximum bytes of the brand list that are read; files seldom have more than six brands. */
const MAX_BRAND_BYTES = 256;

/**
 * Detects the format of a picture by its first bytes; `heic` is any file of that container that is not AVIF.
 */
export function detectPictureKind(bytes: Buffer): "jpeg" | "png" | "avif" | "heic" | "other" | null {
  const beginning = bytes.subarray(0, 16).toString("latin1");
  if (JPEG_SIGNATURE.test(beginning)) return "jpeg";
  if (PNG_SIGNATURE.test(beginning)) return "png";
  if (OTHER_SIGNATURES.some((kind) => kind.test(beginning))) return "other";
  const brands = readBrands(bytes);
  if (brands.some((brand) => AVIF_BRAND.test(brand))) return "avif";
  return brands.some((brand) => HEIC_BRAND.test(brand)) ? "heic" : null;
}

/**
 * Writes AVIF's own brand as the main brand, because the library reads only the main brand and recognises
 * few brands.
 */
export function withAvifBrand(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  copy.write("avif", 8, "latin1");
  return copy;
}

/** Main and compatible brands of an ISO media file. */
function readBrands(bytes: Buffer): string[] {
  if (bytes.length < 16 || bytes.toString("latin1", 4, 8) !== "ftyp") return [];
  const end = Math.min(bytes.readUInt32BE(0), bytes.length, MAX_BRAND_BYTES);
  const brands = [bytes.toString("latin1", 8, 12)];
  for (let at = 16; at + 4 <= end; at += 4) brands.push(bytes.toString("latin1", at, at + 4));
  return brands;
}
