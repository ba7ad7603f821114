import { globSync, readFileSync } from "node:fs";
import { compileMessage } from "@lingui/message-utils/compileMessage";
import { describe, expect, test } from "vitest";
import { CATALOGUES, readCatalogue, collectMessages } from "../support/catalogue-texts.ts";

const messages = collectMessages();
/** Placeholders of a text: `{name}`, `{count, plural, …}`, and the elements `<0>`. */
const places = (text: string) =>
  [
    ...new Set(
      [...text.matchAll(/(?<!(?:=\d+|\b(?:zero|one|two|few|many|other)) )\{(\w+)|<(\d)>/g)].map(
        (match) => match[1] ?? match[2],
      ),
    ),
  ].toSorted();

describe("interface texts", () => {
  test("can be extracted from the code", () => {
    expect(messages.length).toBeGreaterThan(300);
    expect(messages).toContain("Sign in");
  });

  test("are string literals in the code, so that each can be extracted", () => {
    const found = globSync("src/web/**/*.{ts,tsx}").flatMap((path) => {
      const text = readFileSync(path, "utf8");
      return [...text.matchAll(/\bt\(\s*(?!["\s])[^)]*\)|<Rich\b[^>]*?\btext=(?!(?:\{\s*)?")[^>]*/g)].map(
        ([call]) => `${path}: ${call}`,
      );
    });
    expect(found).toEqual([]);
  });

  test("with placeholders are all in the English catalogue", () => {
    expect(Object.keys(readCatalogue("en"))).toEqual(
      messages.filter((text) => text.includes("{") || text.includes("<0>")),
    );
  });

  test.each(CATALOGUES)("in %s are complete, with no unused ones", (locale) => {
    const words = readCatalogue(locale);
    expect(messages.filter((text) => !words[text])).toEqual([]);
    expect(Object.keys(words).filter((text) => !messages.includes(text))).toEqual([]);
  });

  test.each(["en", ...CATALOGUES])(
    "in %s can be parsed, and have the placeholders of the English text",
    (locale) => {
      for (const [english, translation] of Object.entries(readCatalogue(locale))) {
        expect(() => compileMessage(translation), translation).not.toThrow();
        expect(places(translation), translation).toEqual(places(english));
      }
    },
  );

  test.each([
    ["Open", "verb|Open"],
    ["Archive", "noun|Archive"],
    ["Report", "verb|Report"],
    ["Read", "verb|Read"],
    ["Filter", "verb|Filter"],
    ["Search", "noun|Search"],
  ])("have separate translations for the two meanings of %s", (one, other) => {
    for (const locale of CATALOGUES) {
      const words = readCatalogue(locale);
      expect([words[one], words[other]].filter(Boolean)).toHaveLength(2);
      expect(words[one], locale).not.toBe(words[other]);
    }
  });

  test.each([
    ["de", "du", /(?:^|[.:;!?] )\p{Lu}\p{Ll}+n Sie\b|\bbevor Sie\b|\bwenn Sie\b|\bIhnen\b/u],
    [
      "fr",
      "vous",
      new RegExp(
        String.raw`(?<!\p{L})(?:tu|toi|ton|tes|le tien|la tienne)(?!\p{L})|(?:^|[.:] )(?:Écris` +
          String.raw`|Indique|Enregistre|Choisis|Donne|Attends|Mets|Ajoute|Essaie)(?!\p{L})`,
        "u",
      ),
    ],
    [
      "es",
      "tú",
      /(?<!\p{L})(?:usted|Elija|Espere|Traiga|Escriba|Ponga|Indique|Vuelva|Guarde|Añada|Introduzca)(?!\p{L})/u,
    ],
  ])("in %s address the reader as %s", (locale, _, otherwise) => {
    expect(Object.values(readCatalogue(locale)).filter((translation) => otherwise.test(translation))).toEqual(
      [],
    );
  });
});
