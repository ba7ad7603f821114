import { expect, test } from "vitest";
import { findBareDomains } from "./bare-domains.ts";

test.each([
  ["Nora beans.example", ["beans.example"]],
  ["Beans.Example", ["beans.example"]],
  ["BEANS.COM", ["beans.com"]],
  ["Buy them at beans.com, or (beans.shop).", ["beans.com", "beans.shop"]],
  [
    "**beans.xyz** _beans.site_ @beans.online 👉 beans.top",
    ["beans.xyz", "beans.site", "beans.online", "beans.top"],
  ],
  ["t.me/beans", ["t.me/beans"]],
  ["a.b.beans.co.uk/x?y", ["a.b.beans.co.uk/x?y"]],
  ["bohnen-münchen.de", ["bohnen-münchen.de"]],
  ["xn--bohnen-mnchen-4ob.de", ["xn--bohnen-mnchen-4ob.de"]],
  ["be\u00adans.com beans\u200b.net", ["beans.com", "beans.net"]],
])("“%s” has a bare domain", (text, domains) => {
  expect(findBareDomains(text)).toEqual(domains);
});

test.each([
  "Beans, e.g. runner beans, i.e. climbers",
  "Ph.D. and M.Sc. in botany, B.Ed, z.B. d.h. u.a.",
  "J.R.R. Tolkien",
  "John F. Kennedy Jr.",
  "I write node.js, vue.js and README.md with setup.py and run.sh.",
  "St.Gallen, St.Pauli, Dr.Who",
  "I live in Rome.It is warm.",
  "I sow beans.then I water them...And wait",
  "Version 1.2.3 costs 3.14 at 10.30 p.m.",
  "nora@beans.example",
  "https://beans.example/ and www.beans.example",
  "...",
  "",
])("“%s” has none", (text) => {
  expect(findBareDomains(text)).toEqual([]);
});

test("a long text is read in linear time", () => {
  const start = performance.now();
  for (const part of ["a.", "a-", "a.com/", "x.com ", "(", "@", "_a."]) findBareDomains(part.repeat(10_000));
  expect(performance.now() - start).toBeLessThan(1_000);
});
