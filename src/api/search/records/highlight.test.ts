import { expect, test } from "vitest";
import { highlightText } from "./highlight.ts";
import { measureCpu } from "../../../../test/support/cpu-time.ts";

const value = (text: string, pre: string, post: string) => highlightText(text, [], [], { pre, post }).value;

test("highlighter removes text that resembles its tags, even if nested", () => {
  expect(value("a <em>b</em> c", "<em>", "</em>")).toBe("a b c");
  expect(value("a <e<em>m>b</e</e</em>m>m> c", "<em>", "</em>")).toBe("a b c");
  expect(value("a <e</em>m>b</<em>em> c", "<em>", "</em>")).toBe("a b c");
  expect(value("aaa", "aa", "")).toBe("a");
  expect(value("plain", "<em>", "</em>")).toBe("plain");
});

test("highlighter takes linear time for thousands of nested partial tags", async () => {
  const deep = 16_000;
  const cost = await measureCpu(() => {
    for (let n = 0; n < 3; n++)
      expect(value(`x${"(".repeat(deep)}${")".repeat(deep)}`, "()", "(())")).toBe("x");
  });
  expect(cost).toBeLessThan(1_000);
});
