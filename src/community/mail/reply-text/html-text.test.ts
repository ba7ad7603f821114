import { describe, expect, test } from "vitest";
import { measureCpu } from "../../../../test/support/cpu-time.ts";
import { htmlMailToMarkdown } from "./html-text.ts";
import { extractReply } from "./own-text.ts";

const textOf = (html: string) => extractReply(htmlMailToMarkdown(html), "markdown", { code: null }).text;

describe("HTML of a mail", () => {
  test("keeps lines, links with their address, lists, tables and code", () => {
    expect(textOf("<p>Yes,<br>in &lt;May&gt;.</p><div>Bye</div><div>Mira</div>")).toBe(
      "Yes,\nin <May>.\n\nBye\nMira",
    );
    expect(
      textOf(
        '<p>See <a href="https://example.org/a?b=1&amp;c=2">the plan</a> and <a ' +
          'href="https://example.org">https://example.org</a>.</p>',
      ),
    ).toBe("See [the plan](<https://example.org/a?b=1&c=2>) and https://example.org.");
    expect(textOf("<ul><li>seeds</li><li>water</li></ul><ol><li>dig</li><li>sow</li></ol>")).toMatch(
      /^- seeds\n- water\n\n1\. dig\n2\. sow$/,
    );
    expect(
      textOf("<table><tr><th>what</th><th>who</th></tr><tr><td>seeds</td><td>Mira | Ada</td></tr></table>"),
    ).toBe("| what | who |\n| --- | --- |\n| seeds | Mira \\| Ada |");
    expect(textOf("<p>So:</p><pre>x = 2*3*4\n  __init__</pre>")).toBe(
      "So:\n\n```\nx = 2*3*4\n  __init__\n```",
    );
    expect(textOf("<p><b>Now</b> or <i>never</i>: __init__ 2*3*4</p>")).toBe(
      "**Now** or *never*: \\_\\_init\\_\\_ 2\\*3\\*4",
    );
  });

  test("with a layout table becomes text without a table", () => {
    expect(textOf("<table><tr><td><p>In May.</p></td></tr></table>")).toBe("In May.");
  });

  test("shows emoji, names pictures and drops hidden text", () => {
    expect(
      textOf(
        '<p>Yes <img alt="🫘" src="https://x/1.png"></p><img src="https://track/x.gif"><div ' +
          'style="display:none">hidden</div>',
      ),
    ).toBe("Yes 🫘");
    expect(textOf('<p>Look: <img src="cid:1" alt="beans.png"></p>')).toBe("Look: (beans.png)");
  });

  test("separates own text from the quotations of Gmail", () => {
    const html =
      `<div class="gmail_quote"><div class="gmail_attr">On … wrote:<br></div><blockquote ` +
      `class="gmail_quote">When?</blockquote><div>In May.</div><blockquote ` +
      `class="gmail_quote">Where?</blockquote></div>`;
    expect(textOf(html)).toBe("> When?\n\nIn May.");
  });

  test.each(["\u00a0", "&emsp;", "<i>&emsp; </i>", "<pre> </pre>"])(
    "gets converted in linear time despite many %j",
    { timeout: 30_000 },
    async (blank) => {
      let read = "";
      const cost = await measureCpu(() => {
        read = htmlMailToMarkdown(`<p>In ${blank.repeat(500_000 / blank.length - 10)}May.</p>`);
      });
      expect(cost).toBeLessThan(10_000);
      expect(read).toMatch(/^\s*In\s/);
    },
  );

  test("made to be slow is processed quickly and keeps some text", async () => {
    const cost = await measureCpu(() => {
      htmlMailToMarkdown("<div>".repeat(90_000));
      htmlMailToMarkdown("<table><tr><td>".repeat(30_000));
      htmlMailToMarkdown("<p>a</p>".repeat(60_000));
      expect(htmlMailToMarkdown(`${"<div>".repeat(200)}In May.`)).toContain("In May.");
    });
    expect(cost).toBeLessThan(20_000);
  });
});
