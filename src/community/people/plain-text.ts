import { z } from "zod";
import { storable } from "#community/common";

/** A text of up to `most` characters in a form. */
export const plainText = (most: number) =>
  z
    .string()
    .transform((text) => storable(text).trim())
    .pipe(z.string().max(most, `Please keep it under ${most} characters.`));
