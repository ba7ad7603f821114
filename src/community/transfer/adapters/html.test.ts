import { expect, test } from "vitest";
import { htmlOf } from "#platform/markup";
import { markdownOf } from "./html.ts";

const SITE = "https://forum.example.org";
const turned = (html: string) => markdownOf(html, { site: SITE }).body;

test.each([
  [
    "paragraphs and marks",
    "<p>One <em>two</em> <strong>three</strong> <del>four</del></p><p>Five</p>",
    "One *two* **three** ~~four~~\n\nFive",
  ],
  [
    "emoji",
    '<p>Hi <img class="emoji" title=":wave:" alt=":wave:" src="/images/wave.png"> <img class="emoji" alt=":slight_smile:"></p>',
    "Hi 👋 🙂",
  ],
  ["an emoji of their own", '<img class="emoji emoji-custom" alt=":our_cat:">', ":our_cat:"],
  ["a picture", '<img src="/uploads/a.png" alt="A [bean]">', "[A bean](<https://forum.example.org/uploads/a.png>)"],
  [
    "a lightbox",
    '<div class="lightbox-wrapper"><a class="lightbox" href="https://cdn.example.org/b.jpg" title="beans.jpg"><img src="s.jpg"><div class="meta">690×400</div></a></div>',
    "[beans.jpg](<https://cdn.example.org/b.jpg>)",
  ],
  [
    "a card of a link",
    '<aside class="onebox" data-onebox-src="https://example.com/x"><header>example.com</header><article><h3><a href="https://example.com/x">Beans</a></h3><p>Long words.</p></article></aside>',
    "[Beans](<https://example.com/x>)",
  ],
  [
    "a quotation",
    '<aside class="quote" data-username="sam" data-post="2" data-topic="7"><div class="title"><img class="avatar" src="/a.png"> sam:</div><blockquote><p>It is <b>cold</b>.</p></blockquote></aside><p>Indeed.</p>',
    "> [**sam**](</t/7/2>):\n> \n> It is **cold**.\n\nIndeed.",
  ],
  ["a mention", '<p><a class="mention" href="/u/sam">@sam</a> knows</p>', "**sam** knows"],
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
  ["powers", "<p>10<sup>6</sup> H<sub>2</sub>O x<sup>n+1</sup> 2<sup>ab</sup> 1<sup>st</sup></p>", "10⁶ H₂O xⁿ⁺¹ 2ab 1st"],
  ["an address without a scheme", '<a href="//example.org/x">there</a>', "[there](<https://example.org/x>)"],
  ["a spoiler among words", '<p>He <span class="spoiler">dies <b>twice</b></span>!</p>', "He ||dies **twice**||!"],
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
  ["a list", "<ul><li>one</li><li>two</li></ul>", "-   one\n-   two"],
])("%s", (_, html, markdown) => expect(turned(html)).toBe(markdown));

test("an address without a scheme is one, also where nobody knows of which place it is", () => {
  expect(markdownOf('<img src="//cdn.example.org/a.png" alt="A bean">').body).toBe("[A bean](<https://cdn.example.org/a.png>)");
});

test("what is folded stays folded", () => {
  const { body } = markdownOf("<details><summary>The end</summary><p>She wins.</p><p>:::</p><p>Twice.</p></details>");
  expect(htmlOf(body)).toMatch(/^<details><summary>The end<\/summary><p>She wins\.<\/p>[^]*<p>Twice\.<\/p>\n<\/details>\n$/);
});

test("what could run is left out and named, and never comes to life", () => {
  const evil =
    '<p>Hi<script>alert(1)</script><iframe src="https://x"></iframe><img src="javascript:alert(1)" alt="p"><a href="javascript:alert(2)">l</a></p>&lt;b onclick=x&gt;<video src=v></video>';
  const { body, dropped } = markdownOf(evil, { site: SITE });
  expect(dropped.toSorted()).toEqual(["iframe", "script", "video"]);
  expect(body).not.toContain("alert");
  expect(htmlOf(body)).not.toMatch(/<(?!\/?(p|a)\b)|javascript/);
});

test.each([
  "<ul><li>x",
  "<blockquote>x",
  "<table><tr><td>x",
  '<aside class="quote" data-username="a"><blockquote>',
  "<b>",
  "<p>x",
  '<a href="http://x">y',
  "[",
  "*",
  "<br>",
])("no amount of %s keeps anybody waiting", { timeout: 30_000 }, (piece) => {
  expect(typeof markdownOf(piece.repeat(400_000 / piece.length)).body).toBe("string");
});

test("what is nested deeper than anybody writes keeps its words, and what is too long its beginning", () => {
  const deep = markdownOf(`${"<div>".repeat(20_000)}words${"</div>".repeat(20_000)}`);
  expect([deep.body.includes("words"), deep.dropped.length]).toEqual([true, 1]);
  const long = markdownOf("word ".repeat(100_000));
  expect([long.body.length <= 40_001, long.dropped.length]).toEqual([true, 1]);
});
