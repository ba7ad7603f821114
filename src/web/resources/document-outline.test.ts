import { describe, expect, test } from "vitest";
import { addHeadingAnchors } from "./document-outline.ts";

describe("document outline", () => {
  test("gives each heading an anchor and skips no heading level", () => {
    const { html, headings } = addHeadingAnchors(
      "<p>Hello.</p><h4>How much</h4><p>Lots.</p><h5>In a <em>dry</em> week</h5>",
    );
    expect(html).toBe(
      '<p>Hello.</p><h3 id="s-how-much">How much</h3><p>Lots.</p><h4 id="s-in-a-dry-week">In a <em>dry</em> week</h4>',
    );
    expect(headings).toEqual([
      { id: "s-how-much", text: "How much", level: 3 },
      { id: "s-in-a-dry-week", text: "In a dry week", level: 4 },
    ]);
  });

  test("gives headings with the same text different anchors", () => {
    const { headings } = addHeadingAnchors("<h3>When</h3><h3>When</h3><h3>?</h3>");
    expect(headings.map((it) => it.id)).toEqual(["s-when", "s-when-2", "s-part"]);
  });

  test(`gives a heading such as "When 2" an anchor that differs from a numbered duplicate's`, () => {
    const { headings } = addHeadingAnchors(
      "<h3>When 2</h3><h3>When</h3><h3>When</h3><h3>When 2</h3><h3>When</h3>",
    );
    expect(headings.map((it) => it.id)).toEqual(["s-when-2", "s-when", "s-when-3", "s-when-2-2", "s-when-4"]);
  });

  test("handles forty thousand headings with the same text in one pass", () => {
    const { headings } = addHeadingAnchors("<h3>When</h3>".repeat(40_000));
    expect(new Set(headings.map((it) => it.id)).size).toBe(40_000);
    expect(headings.at(-1)!.id).toBe("s-when-40000");
  });

  test("keeps letters of every script and no HTML in anchors", () => {
    const { html } = addHeadingAnchors("<h3>أهلا &amp; سهلا</h3><h3>a&quot;b&lt;c</h3>");
    expect(html).toContain('id="s-أهلا-سهلا"');
    expect(html).toContain('id="s-a-b-c"');
  });

  test("returns no outline without headings", () => {
    expect(addHeadingAnchors("<p>Only words.</p>")).toEqual({ html: "<p>Only words.</p>", headings: [] });
  });
});
