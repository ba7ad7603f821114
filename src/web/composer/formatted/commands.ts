import { lift, setBlockType, toggleMark, wrapIn } from "prosemirror-commands";
import type { NodeType } from "prosemirror-model";
import { liftListItem, wrapInList } from "prosemirror-schema-list";
import type { Command, EditorState } from "prosemirror-state";
import { schema } from "./schema.ts";

const { marks, nodes } = schema;

const TABLE = "| | |\n| --- | --- |\n| | |";

/** Commands of the toolbar and the menu for the selection, by name. */
export const COMMANDS = {
  bold: toggleMark(marks.strong),
  italic: toggleMark(marks.em),
  code: (state, dispatch) =>
    (spansBlocks(state) ? setBlockType(nodes.code_block) : toggleMark(marks.code))(state, dispatch),
  spoiler: (state, dispatch) =>
    (spansBlocks(state) ? toggleWrap(nodes.spoiler_block) : toggleMark(marks.spoiler))(state, dispatch),
  quote: (state, dispatch) => toggleWrap(nodes.blockquote)(state, dispatch),
  heading: (state, dispatch) =>
    (state.selection.$from.parent.type === nodes.heading
      ? setBlockType(nodes.paragraph)
      : setBlockType(nodes.heading, { level: 2 }))(state, dispatch),
  list: (state, dispatch) => toggleList(nodes.bullet_list)(state, dispatch),
  numbers: (state, dispatch) => toggleList(nodes.ordered_list)(state, dispatch),
  checklist,
  codeBlock: setBlockType(nodes.code_block),
  spoilerBlock: wrapIn(nodes.spoiler_block),
  table: (state, dispatch) => insertBlock(state, dispatch, nodes.verbatim, TABLE),
  rule: (state, dispatch) => insertBlock(state, dispatch, nodes.horizontal_rule),
} satisfies Record<string, Command>;

export type CommandName = keyof typeof COMMANDS;

const spansBlocks = ({ selection: { $from, $to } }: EditorState) => !$from.sameParent($to);

function isInside({ selection: { $from } }: EditorState, type: NodeType): boolean {
  for (let depth = $from.depth; depth > 0; depth -= 1) if ($from.node(depth).type === type) return true;
  return false;
}

const toggleWrap =
  (type: NodeType): Command =>
  (state, dispatch) =>
    isInside(state, type) ? lift(state, dispatch) : wrapIn(type)(state, dispatch);

const toggleList =
  (type: NodeType): Command =>
  (state, dispatch) =>
    isInside(state, nodes.list_item)
      ? liftListItem(nodes.list_item)(state, dispatch)
      : wrapInList(type)(state, dispatch);

/** Makes tasks of the selected list items, or a list of tasks of the selected paragraphs. */
function checklist(state: EditorState, dispatch?: Parameters<Command>[1]): boolean {
  if (!isInside(state, nodes.list_item)) {
    let isWrapped = false;
    wrapInList(nodes.bullet_list)(state, (tr) => {
      const next = state.apply(tr);
      setTasks(next, (tasks) => {
        for (const step of tasks.steps) tr.step(step);
        isWrapped = true;
      });
      dispatch?.(tr);
    });
    return isWrapped;
  }
  return setTasks(state, dispatch);
}

function setTasks(state: EditorState, dispatch?: Parameters<Command>[1]): boolean {
  const { from, to } = state.selection;
  const tr = state.tr;
  state.doc.nodesBetween(from, to, (node, pos) => {
    if (node.type === nodes.list_item)
      tr.setNodeAttribute(pos, "checked", node.attrs["checked"] === null ? false : null);
  });
  dispatch?.(tr);
  return tr.docChanged;
}

/** Inserts a block after the selected one, or in place of an empty paragraph. */
function insertBlock(
  state: EditorState,
  dispatch: Parameters<Command>[1],
  type: NodeType,
  text?: string,
): boolean {
  const { $from } = state.selection;
  if ($from.depth === 0) return false;
  const isEmpty = $from.parent.type === nodes.paragraph && $from.parent.content.size === 0;
  const [from, to] = isEmpty ? [$from.before(), $from.after()] : [$from.after(), $from.after()];
  const block = type.create(null, text === undefined ? null : schema.text(text));
  const added = to === state.doc.content.size ? [block, nodes.paragraph.create()] : [block];
  if (!state.doc.resolve(from).parent.canReplaceWith(0, 0, type)) return false;
  dispatch?.(state.tr.replaceWith(from, to, added).scrollIntoView());
  return true;
}
