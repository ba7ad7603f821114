import fc from "fast-check";
import { expect, test } from "vitest";
import { headingText, countCharacters } from "./record-fields.ts";

test("parsing a heading twice gives the same text, even if it was truncated at a space", () => {
  const title = headingText(10);
  expect(title.parse("nine signs tail")).toBe("nine signs");
  expect(title.parse("nine sign tail")).toBe("nine sign");
  const texts = fc
    .array(fc.constantFrom("a", " ", "\u00A0", "🌱", "\0", "\uD800", "\n"), { maxLength: 20 })
    .map((it) => it.join(""));
  fc.assert(
    fc.property(texts, (text) => {
      const once = title.parse(text);
      expect([title.parse(once), countCharacters(once) <= 10]).toEqual([once, true]);
    }),
  );
});
