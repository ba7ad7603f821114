import { z } from "zod";

/**
 * A text as the database can keep it: PostgreSQL has no place for the character NUL and for halves of characters,
 * and nobody writes them on purpose.
 */
export const storable = (text: string) => text.replaceAll("\0", "").toWellFormed();

/** A text of up to `most` characters in a form. */
export const plainText = (most: number) =>
  z
    .string()
    .transform((text) => storable(text).trim())
    .pipe(z.string().max(most, `Please keep it under ${most} characters.`));
