import { describe, expect, test } from "vitest";
import { htmlToText } from "./index.ts";

describe("HTML to plain text", () => {
  test.each([
    ["<p>One.</p><p>Two<br>lines.</p>", "One.\n\nTwo\nlines."],
    ["<h1>Frost</h1>\n  <div>Tonight &amp; <i>tomorrow</i></div>", "Frost\n\nTonight & tomorrow"],
    ["<ul><li>a</li><li>b</li></ul>", "- a\n- b"],
    ["<table><tr><td>Bed</td><td>7</td></tr><tr><td>Row</td><td>2</td></tr></table>", "Bed 7\nRow 2"],
    ['<a href="https://kith.test/a?b=1&amp;c=2">Look</a>', "Look (https://kith.test/a?b=1&c=2)"],
    ['<a href="https://kith.test">https://kith.test</a>', "https://kith.test"],
    ['<a href="mailto:a@b.org">a@b.org</a>', "a@b.org"],
    ['<a href="javascript:alert(1)">Look</a>', "Look"],
    ['<img src="x" alt="A bed of beans"> grows', "A bed of beans grows"],
    ["<title>No</title><style>p{}</style><script>no()</script>Yes", "Yes"],
    ["never <b>closed", "never closed"],
    ["", ""],
  ])("turns %j into %j", (html, text) => {
    expect(htmlToText(html)).toBe(text);
  });

  test("stops at excessive nesting", () => {
    const deep = `kept ${"<div>".repeat(100_000)}`;
    expect(htmlToText(deep)).toBe("kept");
  });
});
