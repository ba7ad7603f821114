import { expect, test } from "vitest";
import { highlight } from "./highlight.ts";
import { measureCpu } from "../../../test/support/cpu-time.ts";

const value = (text: string, pre: string, post: string) => highlight(text, [], [], { pre, post }).value;

test("what looks like a tag is taken out of a text, however its halves lie in each other", () => {
  expect(value("a <em>b</em> c", "<em>", "</em>")).toBe("a b c");
  expect(value("a <e<em>m>b</e</e</em>m>m> c", "<em>", "</em>")).toBe("a b c");
  expect(value("a <e</em>m>b</<em>em> c", "<em>", "</em>")).toBe("a b c");
  expect(value("aaa", "aa", "")).toBe("a");
  expect(value("plain", "<em>", "</em>")).toBe("plain");
});

test("halves that lie in each other a thousand times take no longer than the text is", async () => {
  const deep = 16_000;
  const cost = await measureCpu(() => {
    for (let n = 0; n < 3; n++) expect(value(`x${"(".repeat(deep)}${")".repeat(deep)}`, "()", "(())")).toBe("x");
  });
  expect(cost).toBeLessThan(1_000);
});
