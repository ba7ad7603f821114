import { sql } from "#platform/database";
import { Refusal } from "#platform/refusal";

const LONGEST_PATTERN = 250;

/**
 * SQL condition on the column `name`: `*` is any text, `?` any character.
 * @throws `invalid` for too long a pattern
 */
export function nameMatches(pattern: string) {
  if (pattern.length > LONGEST_PATTERN) throw new Refusal("invalid", `A pattern has ${LONGEST_PATTERN} characters at the most.`);
  const like = pattern
    .normalize("NFC")
    .replace(/[\\%_]/g, "\\$&")
    .replace(/\*+/g, "%")
    .replaceAll("?", "_");
  return sql`name like ${like}`;
}
