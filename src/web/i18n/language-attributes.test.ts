import { describe, expect, test } from "vitest";
import { languageAttributes } from "./language-attributes.ts";

describe("HTML attributes of a text", () => {
  test.each([
    ["de", "Wer gießt?", { lang: "de", dir: "ltr" }],
    ["ar", "من يسقي؟", { lang: "ar", dir: "rtl" }],
    ["he", "<p>Docker: מי משקה את הגינה ביום ראשון</p>", { lang: "he", dir: "rtl" }],
    ["ar", "<p class='x'>Thanks a lot, see you there</p>", { dir: "ltr" }],
    ["en", "شكرا جزيلا", { dir: "rtl" }],
    ["fa", "42 👍", { lang: "fa", dir: "rtl" }],
    ["de", "", { lang: "de", dir: "ltr" }],
  ])("state the language %s and the text's direction: %s", (language, text, expected) =>
    expect(languageAttributes(language, text)).toEqual(expected),
  );
});
