import { expect, test } from "vitest";
import { renderMarkdown } from "#platform/markup";
import { htmlToMarkdown } from "./html.ts";

const SITE = "https://forum.example.org";
const turned = (html: string) => htmlToMarkdown(html, { site: SITE }).body;

test("mentions in HTML are returned, each once", () => {
  expect(
    htmlToMarkdown(
      '<a class="mention" href="/u/sam">@Sam</a> <a class="mention" href="/u/sam">@sam</a> <span ' +
        'class="mention">@x</span>',
    ).mentions,
  ).toEqual(["sam"]);
});

test.each([
  [
    "paragraphs and marks",
    "<p>One <em>two</em> <strong>three</strong> <del>four</del></p><p>Five</p>",
    "One *two* **three** ~~four~~\n\nFive",
  ],
  [
    "emoji",
    '<p>Hi <img class="emoji" title=":wave:" alt=":wave:" src="/images/wave.png"> <img class="emoji" ' +
      'alt=":slight_smile:"></p>',
    "Hi 👋 🙂",
  ],
  ["an emoji of their own", '<img class="emoji emoji-custom" alt=":our_cat:">', ":our_cat:"],
  [
    "a picture",
    '<img src="/uploads/a.png" alt="A [bean]">',
    "[A \\[bean\\]](<https://forum.example.org/uploads/a.png>)",
  ],
  [
    "a lightbox",
    '<div class="lightbox-wrapper"><a class="lightbox" href="https://cdn.example.org/b.jpg" ' +
      'title="beans.jpg"><img src="s.jpg"><div class="meta">690×400</div></a></div>',
    "[beans.jpg](<https://cdn.example.org/b.jpg>)",
  ],
  [
    "a card of a link",
    '<aside class="onebox" ' +
      'data-onebox-src="https://example.com/x"><header>example.com</header><article><h3><a ' +
      'href="https://example.com/x">Beans</a></h3><p>Long words.</p></article></aside>',
    "[Beans](<https://example.com/x>)",
  ],
  [
    "a quotation",
    '<aside class="quote" data-username="sam" data-post="2" data-topic="7"><div class="title"><img ' +
      'class="avatar" src="/a.png"> sam:</div><blockquote><p>It is <b>cold</b>.</p></blockquote></aside><p>Indeed.</p>',
    "> [**sam**](</t/7/2>):\n> \n> It is **cold**.\n\nIndeed.",
  ],
  ["a mention", '<p><a class="mention" href="/u/sam">@sam</a> knows</p>', "@sam knows"],
  [
    "brackets in the text of a link",
    '<a href="https://example.org/s">[Solved] When to sow</a> <a href="https://example.org/1">[1]</a>',
    "[\\[Solved\\] When to sow](<https://example.org/s>) [\\[1\\]](<https://example.org/1>)",
  ],
  [
    "ticked boxes",
    '<ul><li><span class="chcklst-box fa fa-square-o"></span> dig</li><li><span class="chcklst-box ' +
      'checked fa"></span> sow</li><li><input type="checkbox" checked disabled> water</li></ul>',
    "-   [ ] dig\n-   [x] sow\n-   [x] water",
  ],
  [
    "entities that were typed",
    "<p>&amp;lt; and &amp;nbsp; and root:x:0:0 :tada: ||so|| ~~so~~</p>",
    "\\&lt; and \\&nbsp; and root:x:0:0 \\:tada: \\|\\|so\\|\\| \\~\\~so\\~\\~",
  ],
  [
    "preformatted text that is not called code",
    "<p>Look:</p><pre>if (a)\n    b = c[0];<br>end</pre>",
    "Look:\n\n```\nif (a)\n    b = c[0];\nend\n```",
  ],
  [
    "formulas",
    '<p>So <span class="math">x_1^2</span>:</p><div class="math">\nE = ' +
      "mc^2\n</div><math><semantics><mi>y</mi>" +
      '<annotation encoding="application/x-tex">y_2</annotation></semantics></math>',
    "So `$x_1^2$`:\n\n```\n$$\nE = mc^2\n$$\n```\n\n`$y_2$`",
  ],
  [
    "a link into the place itself",
    '<a href="https://forum.example.org/t/beans/7/2">there</a> <a href="/t/beans/7">here</a>',
    "[there](</t/beans/7/2>) [here](</t/beans/7>)",
  ],
  ["code", '<pre><code class="lang-ruby">puts 1 &lt; 2\n</code></pre>', "```ruby\nputs 1 < 2\n```"],
  [
    "a table",
    "<table><thead><tr><th>a</th><th>b|c</th></tr></thead><tbody><tr><td>1</td></tr></tbody></table>",
    "| a | b\\|c |\n| --- | --- |\n| 1 |  |",
  ],
  [
    "powers",
    "<p>10<sup>6</sup> H<sub>2</sub>O x<sup>n+1</sup> 2<sup>ab</sup> 1<sup>st</sup></p>",
    "10⁶ H₂O xⁿ⁺¹ 2ab 1st",
  ],
  ["an address without a scheme", '<a href="//example.org/x">there</a>', "[there](<https://example.org/x>)"],
  [
    "a spoiler among words",
    '<p>He <span class="spoiler">dies <b>twice</b></span>!</p>',
    "He ||dies **twice**||!",
  ],
  [
    "a spoiler by itself",
    '<p>Guess.</p><blockquote class="spoiler"><p>It is</p><p>the hen.</p></blockquote><p>Yes.</p>',
    "Guess.\n\n::: spoiler\nIt is\n\nthe hen.\n:::\n\nYes.",
  ],
  [
    "what is folded, and folded within",
    "<details open><summary>The <b>list</b></summary><p>one</p><details><summary>More</summary>two</details></details>",
    "::: spoiler The list\none\n\nMore\n\ntwo\n:::",
  ],
  [
    "films, sounds and pages within",
    '<p>See</p><iframe src="https://www.youtube.com/embed/dQw4w9WgXcQ?start=3" title="A ' +
      '[song]"></iframe><iframe src="//player.vimeo.com/video/12"></iframe><video><source ' +
      'src="/uploads/a.mp4"></video><audio src="https://x.org/a.ogg"></audio><object ' +
      'data="https://x.org/a.pdf"></object><object><embed src="https://x.org/b.swf"></object>',
    [
      "See",
      "[A \\[song\\]](<https://www.youtube.com/watch?v=dQw4w9WgXcQ>)",
      "[https://vimeo.com/12](<https://vimeo.com/12>)",
      "[https://forum.example.org/uploads/a.mp4](<https://forum.example.org/uploads/a.mp4>)",
      "[https://x.org/a.ogg](<https://x.org/a.ogg>)",
      "[https://x.org/a.pdf](<https://x.org/a.pdf>)",
      "[https://x.org/b.swf](<https://x.org/b.swf>)",
    ].join("\n\n"),
  ],
  [
    "films that wait until somebody wants to see them",
    '<div class="lazyYT" data-youtube-id="dQw4w9WgXcQ" data-youtube-title="A song"></div><div ' +
      'class="youtube-onebox lazy-video-container" data-video-id="abcdefghijk" data-video-title="Beans" ' +
      'data-provider-name="youtube"><a href="https://www.youtube.com/watch?v=abcdefghijk"><img ' +
      'src="https://img.youtube.com/t.jpg"></a></div><div class="video-placeholder-container" ' +
      'data-video-src="/uploads/b.mp4"></div>',
    [
      "[A song](<https://www.youtube.com/watch?v=dQw4w9WgXcQ>)",
      "[Beans](<https://www.youtube.com/watch?v=abcdefghijk>)",
      "[https://forum.example.org/uploads/b.mp4](<https://forum.example.org/uploads/b.mp4>)",
    ].join("\n\n"),
  ],
  ["a mention in bold words", '<b>Hi <a class="mention" href="/u/sam">@sam</a></b>', "**Hi @sam**"],
  [
    "a link of the days before https",
    '<a href="http://forum.example.org/t/beans/7">here</a>',
    "[here](</t/beans/7>)",
  ],
  [
    "hashtags",
    '<p>#beans are fine<br><a class="hashtag" href="/tag/peas">#peas</a> too<br># nothing</p>',
    "#beans are fine  \n[#peas](<https://forum.example.org/tag/peas>) too  \n\\# nothing",
  ],
  [
    "lists within lists, wherever they stand",
    "<ul><li>one<ol><li>two<ul><li>three</li></ul></li></ol></li><ul><li>four</li></ul><li>five</li></ul>",
    "-   one\n    1.  two\n        -   three\n    -   four\n-   five",
  ],
  ["a list", "<ul><li>one</li><li>two</li></ul>", "-   one\n-   two"],
])("HTML is converted to Markdown: %s", (_, html, markdown) => expect(turned(html)).toBe(markdown));

test.each([
  [
    "<b>bold <code>a*b</code></b> <i><code>c</code></i>",
    "<strong>bold <code>a*b</code></strong> <em><code>c</code></em>",
  ],
  ["a<b><i>both</i></b>c <s><b>all</b></s>", "a<em><strong>both</strong></em>c <s><strong>all</strong></s>"],
  ["<b>Note:</b>well, <b>one <code>x</code></b>s", "<strong>Note</strong>:well, one <code>x</code>s"],
  [
    "<b>one</b><strong>two</strong> <b>three <strong>four</strong></b>",
    "<strong>onetwo</strong> <strong>three four</strong>",
  ],
  ["<b>one </b><i>two</i>", "<strong>one</strong> <em>two</em>"],
])("adjacent formatting is converted: %s", (html, shown) =>
  expect(renderMarkdown(turned(`<p>${html}</p>`)).trim()).toBe(`<p>${shown}</p>`),
);

test("formatting around several paragraphs, lists and code is applied to each paragraph", () => {
  const html = "<b><p>one</p><ul><li>two</li></ul><p>three</p></b><i><pre><code>four</code></pre></i>";
  expect(renderMarkdown(turned(html)).replace(/\n| tabindex="0"/g, "")).toBe(
    "<p><strong>one</strong></p><ul><li>two</li></ul><p><strong>three</strong></p><pre><code>four</code></pre>",
  );
});

test("a link to a topic stays local if the topic is imported, and points to the old site otherwise", () => {
  const html =
    '<a href="/t/beans/7/2">a</a> <a href="https://forum.example.org/t/8">b</a> <a href="/t/9/2">c</a> ' +
    '<a href="/t/x/7/3">d</a>';
  const isHere = (id: number) => id === 7;
  expect(htmlToMarkdown(html, { site: SITE, isHere }).body).toBe(
    "[a](</t/beans/7/2>) [b](<https://forum.example.org/t/8>) [c](<https://forum.example.org/t/9/2>) [d](</t/x/7/3>)",
  );
  expect(htmlToMarkdown(html, { isHere }).body).toContain("[c](</t/9/2>)");
});

test("an address without a scheme becomes a link even if the site is unknown", () => {
  expect(htmlToMarkdown('<img src="//cdn.example.org/a.png" alt="A bean">').body).toBe(
    "[A bean](<https://cdn.example.org/a.png>)",
  );
});

test("collapsed content stays collapsed", () => {
  const { body } = htmlToMarkdown(
    "<details><summary>The end</summary><p>She wins.</p><p>:::</p><p>Twice.</p></details>",
  );
  expect(renderMarkdown(body)).toMatch(
    /^<details><summary>The end<\/summary><p>She wins\.<\/p>[^]*<p>Twice\.<\/p>\n<\/details>\n$/,
  );
});

test("active content is dropped and reported, and never runs", () => {
  const evil =
    '<p>Hi<script>alert(1)</script><iframe src="javascript:alert(3)"></iframe><object ' +
    'data="data:text/html,alert"></object><img src="javascript:alert(1)" alt="p"><a ' +
    'href="javascript:alert(2)">l</a></p>&lt;b onclick=x&gt;<video></video>';
  const { body, dropped } = htmlToMarkdown(evil, { site: SITE });
  expect(dropped.toSorted()).toEqual(["iframe", "object", "script", "video"]);
  expect(body).not.toContain("alert");
  expect(renderMarkdown(body)).not.toMatch(/<(?!\/?(p|a)\b)|javascript/);
});

test.each([
  "<ul><li>x",
  "<blockquote>x",
  "<table><tr><td>x",
  '<aside class="quote" data-username="a"><blockquote>',
  "<b>",
  "<b>x.</b>y",
  "<b>....x</b>",
  "<p>x",
  '<a href="http://x">y',
  "[",
  "*",
  "<br>",
  "&nbsp;",
  "<i>\u2003 </i>",
])("conversion stays fast for many repetitions of %s", { timeout: 30_000 }, (piece) => {
  expect(typeof htmlToMarkdown(piece.repeat(400_000 / piece.length - 1) + "x").body).toBe("string");
});

test("text nested too deeply is still converted, and text that is too long is truncated", () => {
  const deep = htmlToMarkdown(`${"<div>".repeat(20_000)}words${"</div>".repeat(20_000)}`);
  expect([deep.body.includes("words"), deep.dropped.length]).toEqual([true, 1]);
  const long = htmlToMarkdown("word ".repeat(100_000));
  expect([long.body.length <= 40_001, long.dropped.length]).toEqual([true, 1]);
});
