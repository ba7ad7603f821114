import { z } from "zod";
import type { NewPicture } from "#community/accounts";
import { LIMITS } from "#community/rules";
import { maxCharacters, msg } from "#platform/messages";
import { invalid, Refusal } from "#platform/refusal";
import { parseForm } from "../../form-parsing.ts";

const CROP_OUTSIDE = { text: "The selected part is outside the picture." };
const share = z.coerce
  .number(CROP_OUTSIDE.text)
  .min(0, CROP_OUTSIDE.text)
  .max(1, CROP_OUTSIDE.text)
  .optional();
const CropInput = z.object({
  alt: z.string().trim().superRefine(maxCharacters("The description", LIMITS.alt)).default(""),
  /** One of nine positions, chosen without scripts: `x,y` as shares of the picture. */
  position: z
    .string()
    .regex(/^(0|0\.5|1),(0|0\.5|1)$/)
    .catch("0.5,0.5"),
  x: share,
  y: share,
  zoom: z.coerce.number(CROP_OUTSIDE.text).min(1, CROP_OUTSIDE.text).max(10, CROP_OUTSIDE.text).optional(),
});

/**
 * Reads the picture of a form and its crop.
 * @throws `too-large` on the field, naming size and limit
 * @throws `invalid` on the field for a missing or unusable picture, or a crop outside it
 */
export async function receivePicture(form: FormData): Promise<NewPicture> {
  const file = form.get("picture");
  if (!(file instanceof File) || file.size === 0) throw invalid("picture", "Choose a picture first.");
  if (file.size > LIMITS.pictureBytes) throw tooLargeRefusal(file);
  const { alt, position, x, y, zoom } = parseCrop(form);
  const bytes = Buffer.from(await file.arrayBuffer());
  if (!isPicture(bytes)) throw notAPictureRefusal(file);
  const [left = 0.5, top = 0.5] = position.split(",").map(Number);
  return { bytes, alt, crop: { x: x ?? left, y: y ?? top, zoom: zoom ?? 1 } };
}

/**
 * Parses the crop. Errors of the crop are shown beside the picture, since its numbers have no error message
 * of their own.
 */
function parseCrop(form: FormData) {
  try {
    return parseForm(CropInput, form);
  } catch (error) {
    if (!(error instanceof Refusal) || error.fields["alt"]) throw error;
    throw new Refusal("invalid", CROP_OUTSIDE.text, { fields: { picture: CROP_OUTSIDE.text } });
  }
}

function tooLargeRefusal({ name, size }: File) {
  const sentence = msg("“{name}” has {size} MB. A picture can have {count} MB at most.", {
    name,
    size: (size / 1_000_000).toFixed(1),
    count: LIMITS.pictureBytes / 1_000_000,
  });
  return new Refusal("too-large", sentence, { fields: { picture: sentence } });
}

function notAPictureRefusal({ name, type }: File) {
  const sentence = type
    ? msg("“{name}” ({type}) is not a picture we can read. JPEG, PNG, WebP and GIF work.", { name, type })
    : msg("“{name}” is not a picture we can read. JPEG, PNG, WebP and GIF work.", { name });
  return new Refusal("wrong-type", sentence, { fields: { picture: sentence } });
}

/** Checks the first bytes, since the client chooses name and type. */
function isPicture(bytes: Buffer): boolean {
  const begins = (text: string, at = 0) => bytes.subarray(at, at + text.length).toString("latin1") === text;
  return (
    begins("\xff\xd8\xff") ||
    begins("\x89PNG\r\n\x1a\n") ||
    begins("GIF87a") ||
    begins("GIF89a") ||
    (begins("RIFF") && begins("WEBP", 8)) ||
    // The bytes of HEIC and AVIF are checked later, by decoding them.
    begins("ftyp", 4)
  );
}
