import type { Token } from "markdown-it";

/** How many links of a text lead out of the house; a picture from elsewhere becomes one. */
export const linksOutIn = (tokens: Token[]): number =>
  tokens.flatMap(({ children }) => children ?? []).filter((it) => leadsOut(it.type, it)).length;

const leadsOut = (type: string, token: Token) =>
  type === "link_open"
    ? !/^[/#](?!\/)/.test(String(token.attrGet("href")))
    : type === "image" && /^https?:/.test(String(token.attrGet("src")));
