import type { MarkdownIt, Token } from "markdown-it";
import { toRenderEnv } from "./render-env.ts";

/**
 * A stored picture in a text: its address, and its size, so that the layout does not shift when the picture
 * loads.
 */
export type KnownPicture = { src: string; width: number; height: number };

/**
 * Adds `![text](address)`: a picture when it is stored here and known at rendering, else a link, so that
 * nothing is loaded from other sites.
 */
export function addPictureSyntax(md: MarkdownIt) {
  const escape = md.utils.escapeHtml;
  md.renderer.rules["image"] = (tokens, at, options, env, self) => {
    const token = tokens[at]!;
    const src = String(token.attrGet("src") ?? "");
    const words = escape(self.renderInlineAsText(token.children ?? [], options, env));
    const shown = toRenderEnv(env).pictures?.get(src);
    if (shown)
      return (
        `<img src="${escape(shown.src)}" alt="${words}" width="${shown.width}" height="${shown.height}" ` +
        `loading="lazy" decoding="async">`
      );
    return /^https?:/.test(src) ? `<a href="${escape(src)}">${words || escape(src)}</a>` : words;
  };
}

export const findPictureUrls = (tokens: Token[]): string[] => [
  ...new Set(
    tokens.flatMap(({ children }) =>
      (children ?? []).flatMap((it) => (it.type === "image" ? [String(it.attrGet("src") ?? "")] : [])),
    ),
  ),
];
