import type { Token } from "markdown-it";

/** Separates the quoted blocks of a text from the author's own. */
export function splitQuotes(tokens: Token[]): { own: Token[]; quoted: Token[] } {
  const [own, quoted]: [Token[], Token[]] = [[], []];
  let within = 0;
  for (const token of tokens) {
    if (token.type === "blockquote_open") within += 1;
    if (token.type === "blockquote_close") within -= 1;
    (within > 0 ? quoted : own).push(token);
  }
  return { own, quoted };
}
