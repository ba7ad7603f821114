import { InputRule, textblockTypeInputRule, wrappingInputRule } from "prosemirror-inputrules";
import type { MarkType } from "prosemirror-model";
import { schema } from "./schema.ts";

const { marks, nodes } = schema;

/** Turns `**text**` into a mark when its last sign is typed. The text is the last group of the pattern. */
const markRule = (pattern: RegExp, type: MarkType) =>
  new InputRule(
    pattern,
    (state, match, start, end) => {
      const [whole, before = "", text = ""] = match;
      const from = start + before.length;
      if (!state.doc.resolve(from).parent.type.allowsMarkType(type)) return null;
      const tr = state.tr;
      // The last sign is not in the document yet.
      const opening = (whole.length - before.length - text.length) / 2;
      const content = state.doc.slice(from + opening, from + opening + text.length).content;
      tr.replaceWith(from, end, content);
      tr.addMark(from, from + text.length, type.create());
      return tr.removeStoredMark(type);
    },
    { inCodeMark: false },
  );

const taskRule = new InputRule(/^\[([ x])\] $/i, (state, match, start, end) => {
  const { $from } = state.selection;
  if ($from.depth < 2 || $from.node(-1).type !== nodes.list_item || $from.index(-1) !== 0) return null;
  return state.tr.delete(start, end).setNodeAttribute($from.before(-1), "checked", match[1] !== " ");
});

/** Markdown signs that become formats while they are typed. Backspace takes the last one back. */
export const TYPING_RULES: InputRule[] = [
  textblockTypeInputRule(/^(#{1,6}) $/, nodes.heading, ([, signs = ""]) => ({ level: signs.length })),
  wrappingInputRule(/^> $/, nodes.blockquote),
  wrappingInputRule(/^[-+*] $/, nodes.bullet_list),
  wrappingInputRule(
    /^(\d{1,9})[.)] $/,
    nodes.ordered_list,
    ([, start]) => ({ start: Number(start) }),
    ([, start], node) => node.childCount + Number(node.attrs["start"]) === Number(start),
  ),
  taskRule,
  markRule(/(^|[^\p{L}\p{N}*])\*\*([^\s*](?:[^*]*[^\s*])?)\*\*$/u, marks.strong),
  markRule(/(^|[^\p{L}\p{N}*])\*([^\s*](?:[^*]*[^\s*])?)\*$/u, marks.em),
  markRule(/(^|[^`])`([^`]+)`$/, marks.code),
  markRule(/(^|[^~])~~([^\s~](?:[^~]*[^\s~])?)~~$/, marks.strike),
  markRule(/(^|[^\p{L}\p{N}_|])\|\|([^\s|](?:[^|]*[^\s|])?)\|\|$/u, marks.spoiler),
];
