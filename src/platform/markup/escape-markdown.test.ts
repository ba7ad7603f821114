import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { escapeMarkdown, renderMarkdown } from "./index.ts";
import { countCases } from "../../../test/support/fuzz-cases.ts";

const ENTITIES: Record<string, string> = {
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
  "&amp;": "&",
};
const decode = (html: string) => html.replace(/&(?:lt|gt|quot|#39|amp);/g, (it) => ENTITIES[it]!);
/** The text as rendered for readers, with white space collapsed. */
const shown = (text: string) =>
  decode(
    renderMarkdown(text)
      .replace(/<br>|<\/(?:p|pre|blockquote|li)>/g, " ")
      .replace(/<[^>]*>/g, ""),
  )
    .replace(/\s+/g, " ")
    .trim();
const plain = (text: string) => text.replace(/\s+/g, " ").trim();

describe("escaped plain text", () => {
  test.each([
    "Look at __init__.py and __repr__, and 2*3*4 is 24.",
    "glob C:\\*.txt and *.c files and foo_bar_baz",
    "Release notes\n-------------\nAll is well.",
    "Two lines\nof words\n---\nand more",
    "Title\n=====",
    "root:x:0:0:root:/root:/bin/bash and :beans: and :tada: and fe80:a:b:c",
    "In\n\n1986. was a great year.",
    "- one\n* two\n+ three\n1. four\n2) five",
    "[plan]: https://example.org/plan\n\nSee [plan] and [this](https://example.org/a_b_c).",
    "Use <b>tags</b> and &lt; and &copy; and &#65; as they are, also <https://example.org>.",
    "Here ~~not~~ struck, ||not hidden||, `not code`, ^[no note] and a[^1]\n\n[^1]: none",
    ":::spoiler\nnot hidden\n:::",
    "```\nnot a fence\n```\n~~~\nneither\n~~~",
    "a | b\n--|--\n1 | 2",
    "# no heading\n> ",
    "ends with \\\nand a line",
    "***\n___\n- - -\n_ _ _",
    "![alt](https://example.org/a.png)",
    "`@`.| and `ada@example.org` and a`b@example.org",
    "*a*@example.org ~~a~~@example.org ||a||@example.org _a_@example.org",
    "(*ada@example.org) (bert*@example.org) and _cleo@example.org dora_@example.org",
    "www.example.org/`a` www.example.org/*a* www.example.org/_a_b www.example.org/?a&copy;",
    "www.example.org/:tada: www.example.org/[a](b) www.example.org* www.example.org_",
  ])("renders as written: %j", (text) => {
    expect(shown(escapeMarkdown(text))).toBe(plain(text).replace(/>$/, "").trim());
  });

  test("preserves lines and indentation, in indented blocks and elsewhere", () => {
    expect(renderMarkdown(escapeMarkdown("Dear all,\n\n    *three* __steps__\n      and again\n\nBye"))).toBe(
      '<p>Dear all,</p>\n<pre tabindex="0"><code>*three* __steps__\n  and again\n</code></pre>\n<p>Bye</p>\n',
    );
    expect(escapeMarkdown("def f():\n    return 1")).toBe("def f():\n\u00A0\u00A0\u00A0\u00A0return 1");
  });

  test("contains quotations and links to URLs, but no links for file names", () => {
    expect(renderMarkdown(escapeMarkdown("> *so*"))).toBe("<blockquote>\n<p>*so*</p>\n</blockquote>\n");
    const html = renderMarkdown(
      escapeMarkdown("See README.md, setup.py, main.rs and https://example.org/a_b_*c*?x=1&y=2 there."),
    );
    expect(html.match(/href="[^"]*"/g)).toEqual(['href="https://example.org/a_b_*c*?x=1&amp;y=2"']);
  });

  test("renders as written, whatever its characters", () => {
    const signs = fc.constantFrom(
      ...Array.from("*_`~|[]()<>&!#-+=:;\\^ \n.19ax@/\t\"'"),
      "&lt;",
      ":tada:",
      "](",
      " https://example.org/a_b",
      " www.example.org/",
      " ada@example.org",
      "  ",
    );
    fc.assert(
      fc.property(fc.array(signs, { maxLength: 30 }), (parts) => {
        // Lines that begin with `>` are quotations.
        const text = parts.join("").replace(/^[\s>]*>/gm, "");
        expect(shown(escapeMarkdown(text).trim())).toBe(plain(text));
      }),
      { numRuns: countCases(3_000) },
    );
  });
});

test("emoji names are recognised as whole words only", () => {
  expect(renderMarkdown("root:x:0:0 fe80:a:b:c 10:100:30 a:tada: :tada:b")).toBe(
    "<p>root:x:0:0 fe80:a:b:c 10:100:30 a:tada: :tada:b</p>\n",
  );
  expect(renderMarkdown("ada@example.org:tada:")).toContain("</a>:tada:</p>");
  expect(renderMarkdown(":tada: (:tada:) :tada::tada: *:tada:*!")).toBe("<p>🎉 (🎉) 🎉🎉 <em>🎉</em>!</p>\n");
});
