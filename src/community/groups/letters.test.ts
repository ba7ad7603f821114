import { expect, test } from "vitest";
import { textOf } from "#platform/mail";
import { invitationLetter } from "./letters.ts";

const values = { name: "<b>Ana</b>", group: "Seeds & Co", community: "Kith", link: "https://kith.test/invite/x?a=1&b=2" };

test.each(["en", "de", "fr", "es", "ar", "xx"])("the mail of an invitation is whole in %s", (locale) => {
  const letter = invitationLetter(locale, values);
  for (const part of [letter.subject, textOf(letter)]) expect(part).not.toMatch(/\{\w+\}|undefined/);
  expect(letter.subject).toContain("Seeds & Co");
  expect(textOf(letter)).toContain(values.link);
  expect(textOf(letter)).toContain("<b>Ana</b>");
  expect(letter.language).toBe(locale === "xx" ? "en" : locale);
});
