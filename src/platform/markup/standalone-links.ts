import type { Token } from "markdown-it";

/** Returns addresses that fill a paragraph of their own, each once: these get a link preview. */
export function findStandaloneLinks(tokens: Token[]): string[] {
  const found = tokens.flatMap(({ type, children, level }, at) => {
    if (
      type !== "inline" ||
      level !== 1 ||
      tokens[at - 1]?.type !== "paragraph_open" ||
      children?.length !== 3
    )
      return [];
    const [open, , close] = children;
    const isBare =
      open?.type === "link_open" &&
      close?.type === "link_close" &&
      (open.markup === "linkify" || open.markup === "autolink");
    return isBare ? [String(open.attrGet("href"))] : [];
  });
  return [...new Set(found)];
}
