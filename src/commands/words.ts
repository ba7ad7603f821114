import { writeFileSync } from "node:fs";
import { CATALOGUES, readCatalogue, collectMessages } from "../../test/support/catalogue-texts.ts";

/**
 * `npm run words`: updates the catalogues to the texts in the code: adds new texts without translation, and
 * removes unused ones.
 */
const messages = collectMessages();
const writeCatalogue = (locale: string, words: Record<string, string>) =>
  writeFileSync(`src/web/i18n/${locale}.json`, `${JSON.stringify(words, null, 2)}\n`);

writeCatalogue(
  "en",
  Object.fromEntries(
    messages.filter((text) => text.includes("{") || text.includes("<0>")).map((text) => [text, text]),
  ),
);
for (const locale of CATALOGUES) {
  const before = readCatalogue(locale);
  const words = Object.fromEntries(messages.map((text) => [text, before[text] ?? ""]));
  writeCatalogue(locale, words);
  const missing = Object.values(words).filter((translation) => translation === "").length;
  console.log(`${locale}: ${messages.length} texts${missing > 0 ? `, ${missing} untranslated` : ""}`);
}
