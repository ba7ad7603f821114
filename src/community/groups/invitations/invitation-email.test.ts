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

test.each(CASES)("the invitation email (%s) is complete in %s", (_, locale, write) => {
  const content = write(locale, values);
  for (const part of [content.subject, renderEmailText(content)])
    expect(part).not.toMatch(/\{\w+\}|undefined/);
  expect(content.subject).toContain("Seeds & Co");
  expect(renderEmailText(content)).toContain(values.link);
  expect(renderEmailText(content)).toContain("<b>Ana</b>");
  expect(content.language).toBe(locale === "xx" ? "en" : locale);
});
