import { expect, test } from "vitest";
import { renderEmailText } from "#platform/mail";
import { composeGuestReportEmail } from "./guest-report-emails.ts";

const KINDS = ["confirm", "receipt", "upheld", "rejected"] as const;
const CASES = KINDS.flatMap((kind) =>
  ["en", "de", "fr", "es", "ar", "xx"].map((locale) => [kind, locale] as const),
);
const values = { name: "<b>Gus</b>", community: "Kith", link: "https://kith.test/report/status/x" };

test.each(CASES)("email to a guest (%s) is complete in %s", (kind, locale) => {
  const content = composeGuestReportEmail(kind, locale, values);
  const text = renderEmailText(content);
  for (const part of [content.subject, text]) expect(part).not.toMatch(/\{\w+\}|undefined/);
  expect(text).toContain("<b>Gus</b>");
  expect(text).toContain(values.link);
  expect(content.language).toBe(locale === "xx" ? "en" : locale);
});
