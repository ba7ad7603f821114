import { describe, expect, test } from "vitest";
import { excerptOf, htmlOf } from "./index.ts";

describe("what people write", () => {
  test("becomes HTML that starts below the page's own headings", () => {
    expect(htmlOf("# Seeds\n\n**Early** ones")).toBe("<h3>Seeds</h3>\n<p><strong>Early</strong> ones</p>\n");
    expect(htmlOf("### Seeds\n\n##### Early\n\n## Tools")).toBe("<h3>Seeds</h3>\n<h4>Early</h4>\n<h3>Tools</h3>\n");
  });

  test("leads out without telling where from", () => {
    expect(htmlOf("[here](https://example.org)")).toContain('<a href="https://example.org" rel="noopener nofollow ugc">here</a>');
    expect(htmlOf("see https://example.org/a")).toContain('href="https://example.org/a"');
  });

  test.each([
    ["<script>alert(1)</script>"],
    ['<img src=x onerror="alert(1)">'],
    ["[x](javascript:alert(1))"],
    ["[x](data:text/html;base64,PHNjcmlwdD4=)"],
    ["![x](https://example.org/spy.gif)"],
    ['[x](https://example.org "onmouseover=alert(1)")<svg/onload=alert(1)>'],
    ["[x](vbscript:msgbox(1))"],
    ["<a href='java&#115;cript:alert(1)'>x</a>"],
  ])("cannot run anything, nor fetch anything, from %s", (text) => {
    const html = htmlOf(text);
    expect(html).not.toMatch(/<(script|img|svg|iframe|style)/i);
    expect(html).not.toMatch(/href="(?!https?:|mailto:)/i);
    expect(html).not.toMatch(/<[^>]+\son\w+=/i);
  });

  test("may nest as deep as it likes without costing more than a moment", () => {
    const started = performance.now();
    const html = htmlOf(`${">".repeat(10_000)}deep\n${"* ".repeat(2_000)}list${"[".repeat(5_000)}`);
    expect(performance.now() - started).toBeLessThan(3_000);
    expect(html.length).toBeLessThan(200_000);
  });

  test("keeps tables, with their alignment and nothing else of style", () => {
    expect(htmlOf("|a|\n|:-:|\n|b|")).toContain('<th style="text-align:center">a</th>');
  });
});

describe("an excerpt", () => {
  test("is plain words, cut between them", () => {
    expect(excerptOf("<p>Sow the <strong>beans</strong> &amp; peas</p><p>in May</p>", 100)).toBe("Sow the beans & peas in May");
    expect(excerptOf("<p>Sow the beans and peas in May</p>", 12)).toBe("Sow the…");
  });
  test("gives text that looks like HTML back as text", () => {
    expect(excerptOf("<p>&lt;b&gt; is bold</p>", 50)).toBe("<b> is bold");
  });
});
