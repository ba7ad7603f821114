import { expect, test } from "vitest";
import { renderEmailText } from "#platform/mail";
import { composeExportEmail } from "../export/export-email.ts";
import { composeInvitationEmail } from "./invitation-email.ts";

const values = {
  name: "<b>Ana</b>",
  group: "Seeds & Co",
  community: "Kith",
  link: "https://kith.test/invite/x?a=1&b=2",
};

const LETTERS = {
  "of an invitation": composeInvitationEmail,
  "that a group can be fetched": composeExportEmail,
};
const CASES = Object.entries(LETTERS).flatMap(([what, letter]) =>
  ["en", "de", "fr", "es", "ar", "xx"].map((locale) => [what, locale, letter] as const),
);

test.each(CASES)("email %s is complete in %s", (_, locale, write) => {
  const letter = write(locale, values);
  for (const part of [letter.subject, renderEmailText(letter)]) expect(part).not.toMatch(/\{\w+\}|undefined/);
  expect(letter.subject).toContain("Seeds & Co");
  expect(renderEmailText(letter)).toContain(values.link);
  expect(renderEmailText(letter)).toContain("<b>Ana</b>");
  expect(letter.language).toBe(locale === "xx" ? "en" : locale);
});
