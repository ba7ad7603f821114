import { describe, expect, test } from "vitest";
import { renderEmailText } from "#platform/mail";
import { composeAccountEmail } from "./compose-account-email.ts";
import type { AccountEmailKind } from "./account-email-texts.ts";
import { english } from "./en.ts";

const values = {
  community: "Kith & Co",
  name: "<b>Ana</b>",
  username: "ana",
  device: "Firefox on Linux",
  provider: "Town",
  when: "now",
  email: "ana@example.net",
  reason: "Adverts.",
  until: "May 1",
};
const kinds = Object.keys(english.letters) as AccountEmailKind[];

describe("account email", () => {
  test.each(["en", "de", "fr", "es", "ar", "xx"])(
    "fills in every placeholder and states the reason for the email (%s)",
    (locale) => {
      for (const kind of kinds) {
        const it = composeAccountEmail(kind, locale, values, "https://kith.test/x?a=1&b=2");
        const text = renderEmailText(it);
        for (const part of [it.subject, text, it.preheader]) expect(part).not.toMatch(/\{\w+\}|undefined/);
        expect(it.language).toBe(locale === "xx" ? "en" : locale);
        expect(text).toContain("<b>Ana</b>");
        expect(text.includes("Adverts.")).toBe(
          english.letters[kind].lines.some((line) => line.includes("{reason}")),
        );
        expect(text.includes("https://kith.test/x?a=1&b=2")).toBe(english.letters[kind].button !== undefined);
        expect(it.footer?.lines[0]).toContain("Kith & Co");
      }
    },
  );

  test("omits a sentence whose value is missing", () => {
    expect(renderEmailText(composeAccountEmail("declined", "en", values))).toContain("Reason: Adverts.");
    expect(renderEmailText(composeAccountEmail("declined", "en", { ...values, reason: "" }))).not.toContain(
      "They say",
    );
  });
});
