import { baseKeymap, chainCommands, exitCode } from "prosemirror-commands";
import { redo, undo } from "prosemirror-history";
import { undoInputRule } from "prosemirror-inputrules";
import { liftListItem, sinkListItem, splitListItem } from "prosemirror-schema-list";
import { type Command, Selection } from "prosemirror-state";
import { COMMANDS } from "./commands.ts";
import { schema } from "./schema.ts";

const { nodes } = schema;

const insertBreak: Command = (state, dispatch) => {
  dispatch?.(state.tr.replaceSelectionWith(nodes.hard_break.create()).scrollIntoView());
  return true;
};

/** Leaves a block of code at the end of the text, which nothing follows. */
const leaveCode: Command = (state, dispatch) => {
  const { $head, empty } = state.selection;
  if (!empty || !$head.parent.type.spec.code || $head.parentOffset < $head.parent.content.size) return false;
  if ($head.after() < state.doc.content.size || $head.depth !== 1) return false;
  const tr = state.tr.insert($head.after(), nodes.paragraph.create());
  dispatch?.(tr.setSelection(Selection.near(tr.doc.resolve($head.after() + 1))).scrollIntoView());
  return true;
};

/** Begins a block of code after three backticks and perhaps the name of its language. */
const beginCode: Command = (state, dispatch) => {
  const { $from } = state.selection;
  const found = /^```([\w+#.-]*)$/.exec($from.parent.textContent);
  if (!found || $from.parent.type !== nodes.paragraph) return false;
  const tr = state.tr.delete($from.start(), $from.end());
  dispatch?.(tr.setBlockType($from.start(), $from.start(), nodes.code_block, { info: found[1] }));
  return true;
};

/** Begins a new item, which is a task if the one before is. */
const splitItem: Command = (state, dispatch) => {
  const { $from } = state.selection;
  const isTask = $from.depth > 1 && ($from.node(-1).attrs["checked"] ?? null) !== null;
  return splitListItem(nodes.list_item, isTask ? { checked: false } : undefined)(state, dispatch);
};

/** Keys of the editor; `Mod` is Control, or ⌘ on a Mac. */
export const createKeys = (link: Command, submit: Command, leave: Command): Record<string, Command> => ({
  ...baseKeymap,
  "Mod-b": COMMANDS.bold,
  "Mod-i": COMMANDS.italic,
  "Mod-e": COMMANDS.code,
  "Mod-k": link,
  "Mod-z": undo,
  "Mod-y": redo,
  "Shift-Mod-z": redo,
  "Mod-Enter": submit,
  Escape: leave,
  Backspace: chainCommands(undoInputRule, baseKeymap["Backspace"]!),
  Enter: chainCommands(beginCode, splitItem, baseKeymap["Enter"]!),
  "Shift-Enter": chainCommands(exitCode, insertBreak),
  ArrowDown: leaveCode,
  Tab: sinkListItem(nodes.list_item),
  "Shift-Tab": liftListItem(nodes.list_item),
});
