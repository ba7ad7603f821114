import type { MarkdownIt, StateInline, Token } from "markdown-it";
import { toRenderEnv } from "./render-env.ts";

/** `@` and a name, not within a word, so that a mail address is no mention. */
const MENTION = /@([a-z0-9_](?:[a-z0-9_.-]{0,58}[a-z0-9_])?)(?![\p{L}\p{N}_@])/iuy;
const UNDERSCORE = 0x5f;

/** Adds `@mira`: a link when the name is known at rendering, else plain text. */
export function addMentionSyntax(md: MarkdownIt) {
  md.inline.ruler.after("escape", "mention", parseMention);
  md.renderer.rules["mention"] = (tokens, at, _options, env) => {
    const token = tokens[at]!;
    const href = toRenderEnv(env).links?.get(token.info);
    const words = md.utils.escapeHtml(token.content);
    return href === undefined ? words : `<a href="${md.utils.escapeHtml(href)}">${words}</a>`;
  };
}

function parseMention(state: StateInline, silent: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== 0x40 || /[\w.@/-]/.test(state.src.charAt(state.pos - 1)))
    return false;
  MENTION.lastIndex = state.pos;
  const found = MENTION.exec(state.src);
  if (!found || state.pos + found[0].length > state.posMax) return false;
  const name = leaveClosingUnderscores(found[1]!, countOpenUnderscores(state));
  if (!silent) {
    const token = state.push("mention", "", 0);
    token.content = `@${name}`;
    token.info = name.toLowerCase();
  }
  state.pos += 1 + name.length;
  return true;
}

/**
 * Shortens a name by the underscores that close an emphasis: a name may end in underscores, but in `_thanks
 * @tomas_` the last one belongs to the emphasis.
 */
function leaveClosingUnderscores(name: string, open: number): string {
  const trailing = /_*$/.exec(name)![0].length;
  // A name that consists of underscores keeps at least one.
  return name.slice(0, Math.max(1, name.length - Math.min(open, trailing)));
}

function countOpenUnderscores({ delimiters }: StateInline): number {
  let open = 0;
  for (const it of delimiters) {
    if (it.marker !== UNDERSCORE) continue;
    if (it.close && open > 0) open -= 1;
    else if (it.open) open += 1;
  }
  return open;
}

/** Returns the names mentioned in a text, each once, in lower case. A name within a link is not a mention. */
export function findMentionedNames(tokens: Token[]): string[] {
  const names = new Set<string>();
  for (const { children } of tokens) {
    let within = 0;
    for (const child of children ?? []) {
      if (child.type === "link_open") within += 1;
      if (child.type === "link_close") within -= 1;
      if (child.type === "mention" && within > 0) child.info = "";
      else if (child.type === "mention") names.add(child.info);
    }
  }
  return [...names];
}
