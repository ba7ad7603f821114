import { expect, test } from "vitest";
import { isolateValues } from "./bidi-isolation.ts";

test.each([
  ["ar", "Noor Aziz", true],
  ["ar", "@noor", true],
  ["ar", "نور عزيز", false],
  ["ar", "نور (Noor)", true],
  ["ar", "15:20", false],
  ["en", "Noor Aziz", false],
  ["en", "نور عزيز", true],
  ["de", "שלום", true],
  ["de", "Ödön 2.0", false],
])("a page in %s isolates “%s” from the surrounding text: %s", (locale, name, apart) => {
  expect(isolateValues({ name }, locale)).toEqual({ name: apart ? `\u2068${name}\u2069` : name });
});

test("numbers, dates and other values are left unchanged", () => {
  const values = { count: 3, at: new Date(0), none: undefined };
  expect(isolateValues(values, "ar")).toEqual(values);
});
