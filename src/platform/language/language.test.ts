import { describe, expect, test } from "vitest";
import { detectLanguage, isLanguage, LANGUAGES } from "./index.ts";

const common = ["en", "de", "fr", "es", "ar"];
const detect = (text: string, author = "en") => detectLanguage(text, { author, common });

describe("language detection", () => {
  test.each([
    ["en", "Who waters on Sunday?"],
    ["de", "Wer gießt am Sonntag?"],
    ["fr", "Qui arrose dimanche ?"],
    ["es", "¿Quién riega el domingo?"],
    ["ar", "من يسقي يوم الأحد؟"],
    ["it", "Chi annaffia domenica?"],
    ["nl", "Wie geeft water op zondag?"],
    ["pl", "Kto podlewa w niedzielę?"],
    ["ru", "Кто поливает в воскресенье?"],
    ["uk", "Хто поливає в неділю?"],
    ["ja", "日曜日に誰が水をやりますか"],
    ["zh", "谁在星期天浇水"],
    ["fa", "چه کسی یکشنبه آب می‌دهد؟"],
  ])("detects %s whatever the author's language: %s", async (language, text) => {
    for (const author of common) expect(await detect(text, author)).toBe(language);
  });

  test.each([
    ["de", "Kaputter Zaun"],
    ["es", "Valla rota"],
    ["fr", "Nouveau banc"],
    ["en", "Broken fence"],
  ])("prefers the author's language for a text of two words: %s", async (author, text) => {
    expect(await detect(text, author)).toBe(author);
  });

  test.each([
    "",
    "👍🏽 42",
    "https://example.org/wer-giesst-am-sonntag",
    "```\nfor (const it of all) print(it);\n```",
    "@tomas",
  ])("returns the author's language for a text without words: %j", async (text) =>
    expect(await detect(text, "fr")).toBe("fr"),
  );

  test("ignores code and addresses", async () => {
    const code =
      "```js\nfunction whoWaters(theDay) { return people.filter((person) => person.waters(theDay)); }\n```\n";
    expect(
      await detect(
        `Das geht nicht mehr, wer weiß warum?\n${code}https://example.org/this/is/an/english/address`,
      ),
    ).toBe("de");
  });

  test("offers only languages with a two-letter code", () => {
    expect(common.every(isLanguage)).toBe(true);
    expect(LANGUAGES.every((it) => /^[a-z]{2}$/.test(it))).toBe(true);
    expect(isLanguage("xx")).toBe(false);
  });
});
