import { describe, expect, test } from "vitest";
import { letter } from "./letter.ts";
import type { Letter } from "./words.ts";
import { en } from "./en.ts";

const values = {
  community: "Kith & Co",
  name: "<b>Ana</b>",
  username: "ana",
  device: "Firefox on Linux",
  when: "now",
  email: "ana@example.net",
};
const kinds = Object.keys(en.letters) as Letter[];

describe("a mail of the accounts", () => {
  test.each(["en", "de", "fr", "es", "ar", "xx"])("is whole in %s: every word filled in, every name escaped", (locale) => {
    for (const kind of kinds) {
      const { subject, text, html } = letter(kind, locale, values, "https://kith.test/x?a=1&b=2");
      for (const part of [subject, text, html]) expect(part).not.toMatch(/\{\w+\}|undefined/);
      expect(html).not.toContain("<b>");
      expect(html).toContain("&lt;b&gt;Ana");
      expect(html).toContain(locale === "ar" ? 'dir="rtl"' : 'dir="ltr"');
      expect(text.includes("https://kith.test/x?a=1&b=2")).toBe(en.letters[kind].button !== undefined);
    }
  });

  test("has a subject of one line, whatever the community is called", () => {
    expect(letter("confirm", "en", { ...values, community: "Kith\r\nBcc: all@example.org" }).subject).not.toMatch(/[\r\n]/);
  });
});
