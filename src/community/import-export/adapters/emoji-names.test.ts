import { expect, test } from "vitest";
import { findEmoji } from "./emoji-names.ts";

test.each([
  [":tada:", "🎉"],
  ["thumbsup", "👍"],
  [":wave::skin-tone-3:", "👋"],
  [":constructor:", ":constructor:"],
  ["toString", ":toString:"],
  ["__proto__", ":__proto__:"],
])("emoji %s becomes %s", (name, emoji) => expect(findEmoji(name)).toBe(emoji));
