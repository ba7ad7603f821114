import type { Token } from "markdown-it";

/** Returns the links to other sites, including repetitions; an external picture counts as one. */
export const findOutboundLinks = (tokens: Token[]): string[] =>
  tokens
    .flatMap(({ children }) => children ?? [])
    .filter((it) => isOutbound(it.type, it))
    .map((it) => String(it.attrGet(it.type === "image" ? "src" : "href")));

/** Returns the addresses of stored files that a text links to, each once. */
export const findFileLinks = (tokens: Token[]): string[] => [
  ...new Set(
    tokens
      .flatMap(({ children }) => children ?? [])
      .flatMap((token) =>
        token.type === "link_open"
          ? (/^\/files\/[0-9a-f-]{36}$/.exec(String(token.attrGet("href")))?.[0] ?? [])
          : [],
      ),
  ),
];

const isOutbound = (type: string, token: Token) =>
  type === "link_open"
    ? !/^[/#](?!\/)/.test(String(token.attrGet("href")))
    : type === "image" && /^https?:/.test(String(token.attrGet("src")));
