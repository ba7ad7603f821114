import type { MarkdownIt } from "markdown-it";

/**
 * Shifts headings below the levels of the page and the post, without gaps, whatever levels the author used.
 */
export function shiftHeadings(md: MarkdownIt) {
  md.core.ruler.push("lower-headings", (state) => {
    const above: number[] = [];
    for (const token of state.tokens) {
      if (token.type === "heading_open") {
        const level = Number(token.tag.slice(1));
        while ((above.at(-1) ?? 0) >= level) above.pop();
        above.push(level);
      }
      if (token.type === "heading_open" || token.type === "heading_close")
        token.tag = `h${Math.min(6, above.length + 2)}`;
    }
  });
}

/**
 * Wraps tables so that a wide one scrolls on its own, also by keyboard, and stays a table for screen
 * readers.
 */
export function makeTablesScrollable(md: MarkdownIt) {
  md.renderer.rules["table_open"] = () => '<div class="scrolls" tabindex="0"><table>\n';
  md.renderer.rules["table_close"] = () => "</table></div>\n";
}

export function labelCodeLanguage(md: MarkdownIt) {
  const escape = md.utils.escapeHtml;
  md.renderer.rules["fence"] = (tokens, at) => {
    const { info, content } = tokens[at]!;
    const language = /^[\w+#.-]{1,30}(?=\s|$)/.exec(info.trim())?.[0];
    const attribute = language ? ` data-language="${escape(language)}"` : "";
    return `<pre tabindex="0"${attribute}><code>${escape(content)}</code></pre>\n`;
  };
  md.renderer.rules["code_block"] = (tokens, at) =>
    `<pre tabindex="0"><code>${escape(tokens[at]!.content)}</code></pre>\n`;
}
