import { sql } from "#platform/database";
import { msg } from "#platform/messages";
import { Refusal } from "#platform/refusal";

const MAX_PATTERN_LENGTH = 250;

/**
 * SQL condition that the column `name` matches a pattern: `*` is any text, `?` any character.
 * @throws `invalid` for a pattern that is too long
 */
export function nameMatchesSql(pattern: string) {
  if (pattern.length > MAX_PATTERN_LENGTH)
    throw new Refusal(
      "invalid",
      msg("A pattern can have at most {count} characters.", { count: MAX_PATTERN_LENGTH }),
    );
  const like = pattern
    .normalize("NFC")
    .replace(/[\\%_]/g, "\\$&")
    .replace(/\*+/g, "%")
    .replaceAll("?", "_");
  return sql`name like ${like}`;
}
