import { expect, test } from "vitest";
import { textOf } from "#platform/mail";
import { exportLetter } from "./export-letter.ts";
import { invitationLetter } from "./letters.ts";

const values = { name: "<b>Ana</b>", group: "Seeds & Co", community: "Kith", link: "https://kith.test/invite/x?a=1&b=2" };

const LETTERS = { "of an invitation": invitationLetter, "that a group can be fetched": exportLetter };
const CASES = Object.entries(LETTERS).flatMap(([what, letter]) =>
  ["en", "de", "fr", "es", "ar", "xx"].map((locale) => [what, locale, letter] as const),
);

test.each(CASES)("email %s is complete in %s", (_, locale, write) => {
  const letter = write(locale, values);
  for (const part of [letter.subject, textOf(letter)]) expect(part).not.toMatch(/\{\w+\}|undefined/);
  expect(letter.subject).toContain("Seeds & Co");
  expect(textOf(letter)).toContain(values.link);
  expect(textOf(letter)).toContain("<b>Ana</b>");
  expect(letter.language).toBe(locale === "xx" ? "en" : locale);
});
