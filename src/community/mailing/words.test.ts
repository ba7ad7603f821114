import { describe, expect, test } from "vitest";
import { en } from "./words/en.ts";
import { fill, listed, momentFor, wordsFor } from "./words/index.ts";

const flat = (it: object, path = ""): [string, string][] =>
  Object.entries(it).flatMap(([key, value]) =>
    typeof value === "string" ? [[`${path}${key}`, value] as [string, string]] : flat(value as object, `${path}${key}.`),
  );
const placesIn = (text: string) => [...new Set(text.match(/\{\w+\}/g) ?? [])].sort();

describe.each(["de", "fr", "es", "ar"])("mail messages in %s", (locale) => {
  test("the messages are complete, translated and use the same placeholders", () => {
    const theirs = new Map(flat(wordsFor(locale).words));
    for (const [key, text] of flat(en)) {
      expect(theirs.get(key), key).toBeTruthy();
      expect(placesIn(theirs.get(key)!), key).toEqual(placesIn(text));
      if (/[a-z]{3}/i.test(text.replace(/\{[^}]*\}/g, ""))) expect(theirs.get(key), key).not.toBe(text);
    }
  });
});

test("agree in number with the people named", () => {
  expect(fill("{names} {hat|haben} dir geantwortet.", { names: "Ana" })).toBe("Ana hat dir geantwortet.");
  expect(fill("{names} {hat|haben} dir geantwortet.", { names: listed("de", ["Ana", "Bo"]) }, true)).toBe(
    "Ana und Bo haben dir geantwortet.",
  );
  expect(listed("en", ["Ana", "Bo", "Cleo", "Dan", "Eve"])).toBe("Ana, Bo, and +3");
});

test("fall back to English and UTC for unknown languages and zones", () => {
  expect(wordsFor("xx").language).toBe("en");
  expect(wordsFor("constructor").language).toBe("en");
  expect(momentFor("en", "Mars/Olympus", new Date("2026-05-04T09:00:00Z"))).toContain("9:00");
});
