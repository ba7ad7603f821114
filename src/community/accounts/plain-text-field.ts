import { z } from "zod";
import { toStorableText } from "#community/common";

/** Form field for a text of up to `most` characters. */
export const plainTextField = (most: number) =>
  z
    .string()
    .transform((text) => toStorableText(text).trim())
    .pipe(z.string().max(most, "At most {count, number} characters."));
