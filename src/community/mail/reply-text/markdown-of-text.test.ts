import { describe, expect, test } from "vitest";
import { createExcerpt, renderMarkdown } from "#platform/markup";
import { plainLinesToMarkdown } from "./markdown-of-text.ts";

const shown = (text: string) => renderMarkdown(plainLinesToMarkdown(text.split("\n")).join("\n"));

describe("plain text of a mail", () => {
  test.each([
    "Edit __init__.py and keep 2*3*4 as it is.",
    "C:\\*.txt and C:\\[old]\\_x_",
    "a || b || c and ~~x~~",
    "&lt; is a sign, &amp; too; so is AT&T.",
    "[plan]: https://example.org/plan",
    "[^1] is a note, ^[so is this]",
    "# no heading",
    "--",
    "---",
    "***",
    "* * *",
    "===",
    "6. November",
    "- one point only",
    "+ 5 euros",
    "::: spoiler",
    "root:x:0:0 and :bean: and fe80:a:b:c",
    "`one tick",
    "<b>not bold</b> and <script>",
    "https://example.org/a_b_c/__init__*x*",
    "a_b_c snake_case",
    "![x](y)",
    "line ends\\",
  ])("looks as it was written: %s", (text) => {
    expect(createExcerpt(shown(text), 500)).toBe(text);
    expect(createExcerpt(shown(`Before.\n${text}\nAfter.`), 500)).toBe(`Before. ${text} After.`);
    expect(shown(`Before\n${text}`)).not.toMatch(/<(?:h\d|hr|strong|em|s|ul|ol|pre|table|section)\b/);
  });

  test("keeps formatting that means the same in plain mail and Markdown", () => {
    expect(shown("Yes, *in May*, **really**, _now_, `npm start`, [here](https://example.org/).")).toMatch(
      new RegExp(
        "<em>in May</em>.*<strong>really</strong>.*<em>now</em>.*<code>npm start</code>.*" +
          '<a href="https://example.org/"',
      ),
    );
    expect(shown("Bring:\n- seeds\n- water")).toContain("<li>water</li>");
    expect(shown("1. seeds\n2. water")).toContain("<ol>");
    expect(shown("```\n__init__\n```")).toContain("<code>__init__");
    expect(shown("So:\n\n    x = 2*3*4")).toContain("x = 2*3*4");
  });

  test("never becomes a table", () => expect(shown("a | b\n--- | ---\n1 | 2")).not.toContain("<table"));
});
