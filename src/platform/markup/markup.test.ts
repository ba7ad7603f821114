import { describe, expect, test } from "vitest";
import { createExcerpt, renderMarkdown, createMailExcerpt, parseText } from "./index.ts";

describe("Markdown", () => {
  test("renders headings at levels below those of the page", () => {
    expect(renderMarkdown("# Seeds\n\n**Early** ones")).toBe(
      "<h3>Seeds</h3>\n<p><strong>Early</strong> ones</p>\n",
    );
    expect(renderMarkdown("### Seeds\n\n##### Early\n\n## Tools")).toBe(
      "<h3>Seeds</h3>\n<h4>Early</h4>\n<h3>Tools</h3>\n",
    );
  });

  test("renders outbound links without a referrer", () => {
    expect(renderMarkdown("[here](https://example.org)")).toContain(
      '<a href="https://example.org" rel="noopener nofollow ugc">here</a>',
    );
    expect(renderMarkdown("see https://example.org/a")).toContain('href="https://example.org/a"');
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
  ])("executes and loads nothing from %s", (text) => {
    const html = renderMarkdown(text);
    expect(html).not.toMatch(/<(script|img|svg|iframe|style)/i);
    expect(html).not.toMatch(/href="(?!https?:|mailto:)/i);
    expect(html).not.toMatch(/<[^>]+\son\w+=/i);
  });

  test("renders tables with alignment but no other styles, in a scrolling container", () => {
    const html = renderMarkdown("|a|\n|:-:|\n|b|");
    expect(html).toContain('<th style="text-align:center">a</th>');
    expect(html).toMatch(/^<div class="scrolls" tabindex="0"><table>[^]*<\/table><\/div>\n$/);
  });

  test("leaves code unchanged and adds the name of its language", () => {
    expect(renderMarkdown("```ts x=1\nconst a = '<b>';\n```")).toBe(
      `<pre tabindex="0" data-language="ts"><code>const a = '&lt;b&gt;';\n</code></pre>\n`,
    );
    expect(renderMarkdown('```"><b>\n:seedling:\n```')).toBe(
      '<pre tabindex="0"><code>:seedling:\n</code></pre>\n',
    );
  });

  test("renders tasks, strike-through and emoji by name", () => {
    const html = renderMarkdown("- [ ] buy *seeds*\n- [x] ~~sow~~ :seedling:\n- [y] no box");
    expect(html).toContain(
      '<li class="task"><label><input type="checkbox" disabled /> buy <em>seeds</em></label></li>',
    );
    expect(html).toContain(
      '<li class="task"><label><input type="checkbox" disabled checked /> <s>sow</s> 🌱</label></li>',
    );
    expect(html).toContain("<li>[y] no box</li>");
    expect(renderMarkdown(":no_such_name: 10:30:45 :)")).toBe("<p>:no_such_name: 10:30:45 :)</p>\n");
  });

  test("hides the whole content of a spoiler, inline or as a block", () => {
    expect(renderMarkdown("He ||dies *twice*||!")).toBe(
      '<div class="line">He <details><summary>Spoiler</summary>dies <em>twice</em></details>!</div>\n',
    );
    expect(renderMarkdown("::: spoiler The <end>\nHe ||dies||.\n:::")).toBe(
      "<details><summary>The &lt;end&gt;</summary><p>He dies.</p>\n</details>\n",
    );
    expect(renderMarkdown("a || b | c || d ||||")).toBe("<p>a || b | c || d ||||</p>\n");
  });

  test("renders footnotes with separate ids for two texts on a page", () => {
    const [one, other] = ["a", "b"].map((sign) =>
      renderMarkdown("Sow[^1].\n\n[^1]: In May.", `019a0000-0000-7000-8000-00000000000${sign}`),
    );
    expect(one).toContain('<a role="doc-noteref" href="#fn-00000000000a-1" id="fnref-00000000000a-1">1</a>');
    expect(one).toContain(
      '<li id="fn-00000000000a-1"><p>In May. <a role="doc-backlink" href="#fnref-00000000000a-1">',
    );
    expect(other).toContain('<li id="fn-00000000000b-1">');
  });
});

describe("picture in Markdown", () => {
  const src = "/files/019a0000-0000-7000-8000-000000000001";
  const known = { pictures: new Map([[src, { src, width: 800, height: 600 }]]) };

  test("renders with alternative text and size when it is known", () => {
    const text = parseText(`![A "bed" of *beans*](${src})`);
    expect(text.pictures).toEqual([src]);
    expect(text.html(known)).toBe(
      `<p><img src="${src}" alt="A &quot;bed&quot; of beans" width="800" height="600" loading="lazy" ` +
        `decoding="async" /></p>\n`,
    );
  });
  test("renders as text when it is unknown, and as a link when it is external", () => {
    expect(renderMarkdown(`![beans](${src})`)).toBe("<p>beans</p>\n");
    expect(parseText("![spy](https://example.org/spy.gif)").html(known)).toBe(
      '<p><a href="https://example.org/spy.gif" rel="noopener nofollow ugc">spy</a></p>\n',
    );
  });
});

describe("excerpts", () => {
  test("hide spoilers and omit footnotes", () => {
    expect(createExcerpt(renderMarkdown("In the end ||she *wins*|| it[^1].\n\n[^1]: Really."), 100)).toBe(
      "In the end … it.",
    );
    expect(createExcerpt(renderMarkdown("::: spoiler The end\nShe wins.\n:::").slice(0, 50), 100)).toBe("…");
  });
  test("in mails contain paragraphs and line breaks as plain text", () => {
    expect(
      createMailExcerpt(renderMarkdown("Sow *beans*\nin May.\n\n- peas\n- leeks\n\n> so she said"), 200),
    ).toBe("Sow beans\nin May.\n\npeas\n\nleeks\n\nso she said");
    expect(createMailExcerpt(renderMarkdown("one two\n\nthree"), 8)).toBe("one two…");
    expect(createMailExcerpt(renderMarkdown("<b> & ||hidden||"), 50)).toBe("<b> & …");
  });

  test("contain plain text truncated between words", () => {
    expect(createExcerpt("<p>Sow the <strong>beans</strong> &amp; peas</p><p>in May</p>", 100)).toBe(
      "Sow the beans & peas in May",
    );
    expect(createExcerpt("<p>Sow the beans and peas in May</p>", 12)).toBe("Sow the…");
    for (const most of [40, 41, 42])
      expect(createExcerpt(`<p>${"🫘".repeat(50)}</p>`, most)).toMatch(/^🫘+…$/u);
  });
  test("show escaped HTML as text", () => {
    expect(createExcerpt("<p>&lt;b&gt; is bold</p>", 50)).toBe("<b> is bold");
  });
});

describe("mention next to underscores", () => {
  test.each([
    ["_thanks @tomas_", ["tomas"]],
    ["__thanks @tomas__ and @mira_", ["tomas", "mira_"]],
    ["_a_ thanks @tomas_", ["tomas_"]],
    ["_thanks @tomas__", ["tomas_"]],
    ["*thanks @tomas*", ["tomas"]],
    ["~~_thanks @tomas_~~", ["tomas"]],
  ])("%s mentions %j", (text, names) => expect(parseText(text).names).toEqual(names));

  test("can be the end of emphasised text", () => {
    expect(renderMarkdown("_thanks @tomas_")).toBe("<p><em>thanks @tomas</em></p>\n");
  });

  test("requires that no letter of another alphabet follows", () => {
    expect(parseText("@tomasé @tomas.").names).toEqual(["tomas"]);
  });
});

describe("URL that begins with www.", () => {
  test.each([
    ["see www.example.org/a_(b). now", "http://www.example.org/a_(b)", "www.example.org/a_(b)"],
    ["(www.example.org)", "http://www.example.org", "www.example.org"],
    ["[beds](www.example.org/beds)", "http://www.example.org/beds", "beds"],
    ["*www.example.org/x?y=1*", "http://www.example.org/x?y=1", "www.example.org/x?y=1"],
  ])("%s becomes a link", (text, href, label) => {
    expect(renderMarkdown(text)).toContain(`<a href="${href}" rel="noopener nofollow ugc">${label}</a>`);
  });

  test("counts as a standalone and outbound link", () => {
    expect(parseText("www.example.org")).toMatchObject({
      loneLinks: ["http://www.example.org"],
      linksOut: 1,
    });
  });

  test.each(["www.", "www. example", "xwww.example.org", "notes.md", "`www.example.org`"])(
    "%s is not linked",
    (text) => {
      expect(renderMarkdown(text)).not.toContain("<a");
    },
  );
});

describe("spoiler bars", () => {
  test.each(["a||b||c", "if (a||b||c)", "x ||b||c", "a||b|| c", "||a||b||"])(
    "remain as written in %s",
    (text) => {
      expect(renderMarkdown(text)).toBe(`<p>${text}</p>\n`);
    },
  );

  test.each(["She ||dies||.", "«||dies||»", "||dies||", "彼は||死ぬ||よ"])(
    "hide the content of %s",
    (text) => {
      expect(renderMarkdown(text)).toContain("<details>");
    },
  );
});
