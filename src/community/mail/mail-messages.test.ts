import { describe, expect, test } from "vitest";
import { en } from "./messages/en.ts";
import { fillMessage, formatNames, formatMoment, mailMessagesFor } from "./messages/index.ts";

const flat = (it: object, path = ""): [string, string][] =>
  Object.entries(it).flatMap(([key, value]) =>
    typeof value === "string"
      ? [[`${path}${key}`, value] as [string, string]]
      : flat(value as object, `${path}${key}.`),
  );
const placesIn = (text: string) => [...new Set(text.match(/\{\w+\}/g) ?? [])].sort();

describe.each(["de", "fr", "es", "ar"])("mail messages in %s", (locale) => {
  test("contain all keys, are translated and use the same placeholders", () => {
    const theirs = new Map(flat(mailMessagesFor(locale).words));
    for (const [key, text] of flat(en)) {
      expect(theirs.get(key), key).toBeTruthy();
      expect(placesIn(theirs.get(key)!), key).toEqual(placesIn(text));
      if (/[a-z]{3}/i.test(text.replace(/\{[^}]*\}/g, ""))) expect(theirs.get(key), key).not.toBe(text);
    }
  });
});

test("mail texts use singular or plural depending on the number of people named", () => {
  expect(fillMessage("{names} {hat|haben} dir geantwortet.", { names: "Ana" })).toBe(
    "Ana hat dir geantwortet.",
  );
  expect(
    fillMessage("{names} {hat|haben} dir geantwortet.", { names: formatNames("de", ["Ana", "Bo"]) }, true),
  ).toBe("Ana und Bo haben dir geantwortet.");
  expect(formatNames("en", ["Ana", "Bo", "Cleo", "Dan", "Eve"])).toBe("Ana, Bo, and +3");
});

test("mail texts fall back to English and UTC for unknown languages and time zones", () => {
  expect(mailMessagesFor("xx").language).toBe("en");
  expect(mailMessagesFor("constructor").language).toBe("en");
  expect(formatMoment("en", "Mars/Olympus", new Date("2026-05-04T09:00:00Z"))).toContain("9:00");
});
