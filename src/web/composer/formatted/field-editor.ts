import { history } from "prosemirror-history";
import { inputRules } from "prosemirror-inputrules";
import { keymap } from "prosemirror-keymap";
import { type Mark, Slice } from "prosemirror-model";
import { EditorState, Selection, type Transaction } from "prosemirror-state";
import { EditorView } from "prosemirror-view";
import { areShortcutsOn } from "../../client/keyboard-shortcuts.ts";
import { type CommandName, COMMANDS } from "./commands.ts";
import { createKeys } from "./key-bindings.ts";
import { MarkdownDocument } from "./markdown-document.ts";
import { schema } from "./schema.ts";
import { createTaskView } from "./task-view.ts";
import { TYPING_RULES } from "./typing-rules.ts";

/** Text directly before the caret: `before` ends at the position `to` of the document. */
export type CaretText = { before: string; to: number };

export type EditorHooks = {
  /** Called after each change of text or selection. `caret` is null where nothing can be suggested. */
  changed: (caret: CaretText | null, isTyped: boolean) => void;
  /** Takes pasted or dropped files; returns whether there were any. */
  takeFiles: (data: DataTransfer | null) => boolean;
  editLink: () => void;
  /** Accessible name of a task's checkbox. */
  taskLabel: string;
};

/** Number of characters before the caret in which names and commands are found. */
const CARET_CONTEXT = 40;
/** Marks a transaction whose text comes from the field. */
const FROM_FIELD = "fromField";

/**
 * A formatted editor for a textarea, which stays the field of the form. Each keeps the text of the other:
 * what is typed here is written into the field, and what other scripts write into the field appears here.
 */
export class FieldEditor {
  readonly view: EditorView;
  readonly #field: HTMLTextAreaElement;
  readonly #hooks: () => EditorHooks;
  readonly #markdown = new MarkdownDocument();
  readonly #observer = new MutationObserver(() => this.#readField());
  #text: string;

  constructor(box: HTMLElement, field: HTMLTextAreaElement, hooks: () => EditorHooks) {
    this.#field = field;
    this.#hooks = hooks;
    this.#text = field.value;
    const isFocused = document.activeElement === field;
    this.view = new EditorView(box, {
      state: this.#createState(this.#text),
      attributes: () => this.#attributes(),
      editable: () => !field.readOnly && !field.disabled,
      nodeViews: { list_item: createTaskView(hooks().taskLabel) },
      dispatchTransaction: (transaction) => this.#apply(transaction),
      handlePaste: (_, event) => hooks().takeFiles(event.clipboardData),
      handleDrop: (_view, event, _slice, moved) => !moved && hooks().takeFiles(event.dataTransfer),
      handleDOMEvents: { blur: () => this.#placeFieldCaret() },
      clipboardTextParser: (text) => Slice.maxOpen(this.#markdown.parse(text, { isFragment: true }).content),
      clipboardTextSerializer: (slice) => this.#copyAsText(slice),
    });
    for (const name of ["input", "change"]) field.addEventListener(name, this.#readField);
    field.addEventListener("focus", this.#takeFocus);
    this.#observer.observe(field, { attributes: true, childList: true, attributeFilter: ATTRIBUTES });
    if (isFocused) {
      this.#placeCaret(field.selectionEnd);
      this.view.focus();
    }
  }

  /** Runs a command of the toolbar or the menu, which replaces the characters from `from` to the caret. */
  run(name: CommandName, from?: number): void {
    if (!this.view.editable) return;
    const { state } = this.view;
    if (from !== undefined) this.view.dispatch(state.tr.delete(from, state.selection.from));
    COMMANDS[name](this.view.state, this.view.dispatch);
    this.view.focus();
  }

  /** Replaces the characters from `from` to the caret, as if they were typed. */
  insert(text: string, from: number): void {
    this.view.dispatch(
      this.view.state.tr.insertText(text, from, this.view.state.selection.from).scrollIntoView(),
    );
    this.view.focus();
  }

  /** Returns the address of the link at the caret. */
  findLink(): string {
    const { $from, from, to } = this.view.state.selection;
    let found: Mark | undefined = schema.marks.link.isInSet($from.marks());
    this.view.state.doc.nodesBetween(
      from,
      to,
      (node) => void (found ??= schema.marks.link.isInSet(node.marks)),
    );
    return String(found?.attrs["href"] ?? "");
  }

  /** Makes the selection a link, or removes its link if the address is empty. */
  setLink(href: string): void {
    const { state } = this.view;
    const { link } = schema.marks;
    let { from, to } = state.selection;
    if (from === to) [from, to] = this.#findLinkRange();
    const tr = state.tr.removeMark(from, to, link);
    // Without a selection the address is inserted. Web addresses in texts are links, so they need no mark.
    if (href !== "" && from === to) tr.insertText(href, from);
    if (href !== "" && (from < to || !/^(https?:|www\.)/.test(href)))
      tr.addMark(from, Math.max(to, from + (from === to ? href.length : 0)), link.create({ href }));
    this.view.dispatch(tr.scrollIntoView());
    this.view.focus();
  }

  /** Places a box of the composer below the caret, and scrolls the page until it is visible. */
  placeAtCaret(box: HTMLElement): void {
    const frame = box.offsetParent?.getBoundingClientRect();
    if (!frame) return;
    const { bottom } = this.view.coordsAtPos(this.view.state.selection.from);
    box.style.insetBlockStart = `${Math.round(bottom - frame.top)}px`;
    box.scrollIntoView({ block: "nearest" });
  }

  destroy(): void {
    this.#observer.disconnect();
    for (const name of ["input", "change"]) this.#field.removeEventListener(name, this.#readField);
    this.#field.removeEventListener("focus", this.#takeFocus);
    const hadFocus = this.view.hasFocus();
    this.#placeFieldCaret();
    this.view.destroy();
    if (hadFocus) this.#field.focus();
  }

  #findLinkRange(): [number, number] {
    const { $from } = this.view.state.selection;
    const mark = schema.marks.link.isInSet($from.marks());
    let [from, to] = [$from.pos, $from.pos];
    if (mark)
      $from.parent.forEach((child, offset) => {
        const start = $from.start() + offset;
        const isHere = mark.isInSet(child.marks) && start <= $from.pos && start + child.nodeSize >= $from.pos;
        if (isHere) [from, to] = [start, start + child.nodeSize];
      });
    return [from, to];
  }

  #createState(text: string): EditorState {
    const keys = createKeys(
      () => (this.#hooks().editLink(), true),
      () => (this.#field.readOnly || this.#field.form?.requestSubmit(), true),
      () => areShortcutsOn() && (this.view.dom.blur(), true),
    );
    return EditorState.create({
      doc: this.#markdown.parse(text),
      plugins: [inputRules({ rules: TYPING_RULES }), keymap(keys), history()],
    });
  }

  #attributes(): Record<string, string> {
    const attributes: Record<string, string> = {
      role: "textbox",
      "aria-multiline": "true",
      "aria-label":
        this.#field.labels[0]?.textContent?.trim() ?? this.#field.getAttribute("aria-label") ?? "",
      class: "input prose formatted-text",
      "data-placeholder": this.#text === "" ? this.#field.placeholder : "",
    };
    for (const name of ["aria-describedby", "aria-invalid"])
      if (this.#field.hasAttribute(name)) attributes[name] = this.#field.getAttribute(name)!;
    if (this.#field.required) attributes["aria-required"] = "true";
    if (this.#field.readOnly) attributes["aria-readonly"] = "true";
    return attributes;
  }

  #apply(transaction: Transaction): void {
    const isTyped = transaction.docChanged && !transaction.getMeta(FROM_FIELD);
    const state = this.view.state.apply(transaction);
    if (isTyped) this.#text = this.#markdown.serialize(state.doc);
    this.view.updateState(state);
    if (isTyped && this.#field.value !== this.#text) {
      this.#field.value = this.#text;
      this.#field.dispatchEvent(new Event("input", { bubbles: true }));
    }
    this.#hooks().changed(this.#readCaret(state), isTyped);
  }

  #readCaret({ selection: { $from, empty } }: EditorState): CaretText | null {
    if (!empty || !$from.parent.isTextblock || $from.parent.type.spec.code) return null;
    if (schema.marks.code.isInSet($from.marks())) return null;
    const start = Math.max(0, $from.parentOffset - CARET_CONTEXT);
    return { before: $from.parent.textBetween(start, $from.parentOffset, null, "\n"), to: $from.pos };
  }

  #readField = (): void => {
    const text = this.#field.value;
    if (text === this.#text) return this.view.setProps({});
    const isCleared = text === "";
    this.#text = text;
    // After sending, the text before cannot be brought back into the next one.
    if (isCleared) return this.view.updateState(this.#createState(""));
    const { tr, doc } = this.view.state;
    const next = this.#markdown.parse(text);
    this.view.dispatch(tr.replaceWith(0, doc.content.size, next.content).setMeta(FROM_FIELD, true));
    this.#placeCaret(this.#field.selectionEnd);
  };

  #takeFocus = (): void => this.view.focus();

  /** Moves the caret to the end of the block at this position in the Markdown. */
  #placeCaret(offset: number): void {
    const { doc, tr } = this.view.state;
    const index = this.#markdown.findBlockAt(doc, offset);
    const end = Array.from({ length: index + 1 }, (_, at) => doc.child(at).nodeSize).reduce(
      (a, b) => a + b,
      0,
    );
    this.view.dispatch(tr.setSelection(Selection.near(doc.resolve(end), -1)).setMeta(FROM_FIELD, true));
  }

  /** Places the field's caret where others insert: at the end of the block that has the editor's caret. */
  #placeFieldCaret(): void {
    const { doc, selection } = this.view.state;
    const at = this.#markdown.findBlockEnd(doc, Math.min(selection.$to.index(0), doc.childCount - 1));
    this.#field.setSelectionRange(at, at);
  }

  #copyAsText({ content }: Slice): string {
    const { doc, paragraph } = schema.nodes;
    const isInline = content.firstChild?.isInline ?? true;
    const copied = isInline ? doc.create(null, paragraph.create(null, content)) : doc.create(null, content);
    return this.#markdown.serialize(copied);
  }
}

const ATTRIBUTES = ["readonly", "disabled", "required", "aria-describedby", "aria-invalid", "placeholder"];
