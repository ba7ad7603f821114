import { sql } from "#platform/database";
import { Refusal } from "#platform/refusal";

const LONGEST_PATTERN = 250;

/** Condition on the column `name`: `*` in a pattern is any text, `?` any one character. Throws `invalid` for a pattern that is too long. */
export function nameMatches(pattern: string) {
  if (pattern.length > LONGEST_PATTERN) throw new Refusal("invalid", `A pattern has ${LONGEST_PATTERN} characters at the most.`);
  const like = pattern
    .normalize("NFC")
    .replace(/[\\%_]/g, "\\$&")
    .replace(/\*+/g, "%")
    .replaceAll("?", "_");
  return sql`name like ${like}`;
}
