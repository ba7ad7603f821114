import { z } from "zod";
import { storable } from "#community/common";

/** Form field for a text of up to `most` characters. */
export const plainText = (most: number) =>
  z
    .string()
    .transform((text) => storable(text).trim())
    .pipe(z.string().max(most, `Please keep it under ${most} characters.`));
