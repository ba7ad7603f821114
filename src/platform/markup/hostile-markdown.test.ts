import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { renderMarkdown } from "./index.ts";
import { measureCpu } from "../../../test/support/cpu-time.ts";
import { countCases } from "../../../test/support/fuzz-cases.ts";

describe("hostile Markdown", () => {
  /**
   * CPU time in milliseconds, the best of five runs, independent of other load. Quadratic growth would take
   * minutes.
   */
  const cost = async (text: string) => {
    const times = [];
    for (let n = 0; n < 5; n++) times.push(await measureCpu(() => renderMarkdown(text)));
    return Math.min(...times);
  };

  test.each([
    ["quotes", `${">".repeat(10_000)}deep`],
    ["lists", `${"* ".repeat(10_000)}deep`],
    [
      "nested lists on separate lines",
      Array.from({ length: 170 }, (_, at) => `${" ".repeat(2 * at)}- a`).join("\n"),
    ],
    ["brackets", "[".repeat(10_000)],
    ["nested links", "[a](".repeat(8_000)],
    ["mentions", "@mira ".repeat(10_000).slice(0, 32_000)],
    ["footnotes", `${"[^a]".repeat(7_990)}\n\n[^a]: x`],
    ["spoilers", "||a".repeat(10_000)],
    ["spoiler blocks", "::: a\n".repeat(5_000)],
    ["emphasis", "*a_ ".repeat(8_000)],
    ["addresses", "http://a.b ".repeat(2_000)],
  ])("takes little time to render with thousands of %s", async (_, text) => {
    expect(await cost(text)).toBeLessThan(500);
    expect(renderMarkdown(text).length).toBeLessThan(text.length * 7 + 21_000);
  });

  test("renders hundreds of footnotes, but shows thousands as typed", () => {
    const withFootnotes = (count: number) =>
      Array.from({ length: count }, (_, n) => `x[^${n}]\n\n[^${n}]: y\n`).join("\n");
    expect(renderMarkdown(withFootnotes(500)).match(/doc-noteref/g)).toHaveLength(500);
    const many = renderMarkdown(withFootnotes(12_000));
    expect(many).not.toContain("doc-noteref");
    expect(many).toContain("<p>x[^11999]</p>");
  });

  test("renders when it is empty or has the maximum length", () => {
    expect(renderMarkdown("")).toBe("");
    expect(renderMarkdown("word ".repeat(6_400)).length).toBeGreaterThan(31_990);
  });

  test("gets no link for a relative URL", () => {
    for (const address of ["*", "notes.md", "../x", "www.", "?a=1"])
      expect(renderMarkdown(`[x](${address})`)).toBe(`<p>[x](${address})</p>\n`);
    expect(renderMarkdown("[x](/groups/long-beds) [y](#post-2)")).toBe(
      '<p><a href="/groups/long-beds">x</a> <a href="#post-2">y</a></p>\n',
    );
  });

  test("cannot reverse surrounding text or cover other lines with accents", () => {
    expect(renderMarkdown("pay \u202emoc.live\u202c now")).toBe("<p>pay moc.live now</p>\n");
    expect(renderMarkdown(`Z${"\u0301".repeat(500)}algo`)).toBe(`<p>Z${"\u0301".repeat(6)}algo</p>\n`);
    expect(renderMarkdown("ที่นี่ שָׁלוֹם")).toBe("<p>ที่นี่ שָׁלוֹם</p>\n");
  });

  /** Every tag we render, with its allowed attributes and the pattern of their values. */
  const TAGS: Record<string, Record<string, RegExp>> = {
    a: {
      href: /^(https?:\/\/|mailto:|#|\/(?![/\\]))/i,
      rel: /^noopener nofollow ugc$/,
      title: /^/,
      id: /^fnref-/,
      role: /^doc-(noteref|backlink)$/,
    },
    ol: { start: /^-?\d+$/ },
    th: { style: /^text-align:(left|right|center)$/ },
    td: { style: /^text-align:(left|right|center)$/ },
    pre: { tabindex: /^0$/, "data-language": /^[\w+#.-]{1,30}$/ },
    li: { id: /^fn-/, class: /^task$/ },
    section: { class: /^footnotes$/, role: /^doc-endnotes$/ },
    div: { class: /^(line|scrolls)$/, tabindex: /^0$/ },
    img: {
      src: /^\/files\/[0-9a-f-]{36}$/,
      alt: /^/,
      width: /^\d+$/,
      height: /^\d+$/,
      loading: /^lazy$/,
      decoding: /^async$/,
    },
    input: { type: /^checkbox$/, disabled: /^$/, checked: /^$/ },
  };
  const PLAIN =
    "p br hr strong em s code blockquote ul h3 h4 h5 h6 table thead tbody tr sup details summary label".split(
      " ",
    );

  function strangeIn(html: string): string | null {
    for (const tag of html.match(/<[^>]*>?/g) ?? []) {
      const [, name, attributes] = /^<\/?([a-z0-9]+)((?: [a-z-]+(?:="[^"<>]*")?)*)(?: \/)?>$/.exec(tag) ?? [];
      if (name === undefined || !(name in TAGS || PLAIN.includes(name))) return tag;
      for (const [, attribute, value = ""] of attributes!.matchAll(/ ([a-z-]+)(?:="([^"]*)")?/g))
        if (!TAGS[name]?.[attribute!]?.test(value)) return tag;
    }
    return null;
  }

  test("fails the HTML check of this test if a disallowed element remains", () => {
    for (const html of [
      "<script>",
      '<a href="javascript:x">',
      "<p onclick>",
      '<img src="x">',
      "<p",
      '<a href="//evil.example">',
    ])
      expect(strangeIn(html)).toBe(html);
  });

  const SIGNS = (
    "* _ ** ` ``` ~~ || ::: > - 1. # [ ] ( ) ![ [^1] [^1]: ^[ | |- < > & \" ' \\ \n \n\n : :smile: " +
    "@mira - [x] [a]: <b> <script> <img onerror=alert(1)> javascript: data:text/html, vbscript: " +
    "//evil.example http:// https://example.org mailto: www. &#106; %0a \u202e \u0301 \ud800 a"
  ).split(" ");
  const sign = fc.oneof(
    fc.constantFrom(...SIGNS, "\n", " ", "\t", "[x](", "](javascript:alert(1))"),
    fc.string({ maxLength: 8, unit: "binary" }),
  );
  const text = fc.array(sign, { maxLength: 200 }).map((signs) => signs.join(""));

  test("renders quickly, with only allowed tags, attributes and URLs", async () => {
    await fc.assert(
      fc.asyncProperty(text, async (written) => {
        const render = () =>
          expect(strangeIn(renderMarkdown(written, "019a0000-0000-7000-8000-00000000000a"))).toBeNull();
        expect(await measureCpu(render)).toBeLessThan(1_000);
      }),
      { numRuns: countCases(400) },
    );
  });
});
