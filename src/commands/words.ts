import { writeFileSync } from "node:fs";
import { CATALOGUES, catalogue, spokenWords } from "../../test/words.ts";

/** `npm run words`: updates the catalogues to the code: new texts empty, unused ones removed. */
const spoken = spokenWords();
const write = (locale: string, words: Record<string, string>) =>
  writeFileSync(`src/web/words/${locale}.json`, `${JSON.stringify(words, null, 2)}\n`);

write("en", Object.fromEntries(spoken.filter((text) => text.includes("{") || text.includes("<0>")).map((text) => [text, text])));
for (const locale of CATALOGUES) {
  const before = catalogue(locale);
  const words = Object.fromEntries(spoken.map((text) => [text, before[text] ?? ""]));
  write(locale, words);
  const missing = Object.values(words).filter((said) => said === "").length;
  console.log(`${locale}: ${spoken.length} texts${missing > 0 ? `, ${missing} to be translated` : ""}`);
}
