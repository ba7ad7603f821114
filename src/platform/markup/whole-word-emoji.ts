import type { MarkdownIt, StateCore, Token } from "markdown-it";

/** `:name:` next to a letter, a digit or another colon belongs to a longer text, such as `root:x:0:0`. */
const WITHIN_WORD = /(?<=[\p{L}\p{N}]):[\w+-]+:|:[\w+-]+:(?=[\p{L}\p{N}])/gu;

/**
 * Restricts emoji names to whole words. Register it after the rule that replaces names; it then runs right
 * before that rule.
 */
export function addWholeWordEmoji(md: MarkdownIt) {
  md.core.ruler.before("emoji", "whole_emoji", (state) => {
    for (const token of state.tokens)
      if (token.children?.some((it) => it.type === "text" && it.content.includes(":")))
        token.children = token.children.flatMap((it, i, all) =>
          it.type === "text" ? splitText(state, it, findTextBefore(all, i)) : [it],
        );
  });
}

/**
 * Returns the text directly before a token if it belongs to the same word: escapes, mentions and linked
 * addresses are separate tokens.
 */
function findTextBefore(tokens: Token[], at: number): string {
  const before = tokens[at - 1];
  if (before?.type === "link_close" && before.markup === "linkify") return tokens[at - 2]?.content ?? "";
  return before && ["text_special", "mention"].includes(before.type) ? before.content : "";
}

/**
 * Splits a text token: names that are not emoji become special text, which other rules skip and which is
 * joined again at the end.
 */
function splitText(state: StateCore, token: Token, before: string): Token[] {
  const lead = /[\p{L}\p{N}]$/u.exec(before)?.[0] ?? "";
  const parts: Token[] = [];
  let from = 0;
  const add = (type: string, content: string) => {
    if (content === "") return;
    const part = new state.Token(type, "", 0);
    [part.content, part.level] = [content, token.level];
    parts.push(part);
  };
  for (const { 0: found, index } of (lead + token.content).matchAll(WITHIN_WORD)) {
    const start = index - lead.length;
    add("text", token.content.slice(from, start));
    add("text_special", found);
    from = start + found.length;
  }
  if (from === 0) return [token];
  add("text", token.content.slice(from));
  return parts;
}
