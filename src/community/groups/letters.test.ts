import { expect, test } from "vitest";
import { invitationLetter } from "./letters.ts";

const values = { name: "<b>Ana</b>", group: "Seeds & Co", community: "Kith", link: "https://kith.test/invite/x?a=1&b=2" };

test.each(["en", "de", "fr", "es", "ar", "xx"])("the mail of an invitation is whole in %s, and its names stay words", (locale) => {
  const { subject, text, html } = invitationLetter(locale, values);
  for (const part of [subject, text, html]) expect(part).not.toMatch(/\{\w+\}|undefined/);
  expect(subject).toContain("Seeds & Co");
  expect(text).toContain(values.link);
  expect(html).toContain("&lt;b&gt;Ana");
  expect(html).toContain("Seeds &amp; Co");
  expect(html).toContain(locale === "ar" ? 'dir="rtl"' : 'dir="ltr"');
});
