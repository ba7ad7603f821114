import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from "react";
import { useTranslate } from "../i18n/index.ts";
import {
  toggleMark,
  toggleMarkOrBlock,
  insertLink,
  togglePrefix,
  type TextEdit,
  type SelectedText,
} from "./markdown-edits.ts";

const TOOLS = ["bold", "italic", "link", "quote", "list", "code", "spoiler"] as const;
/** Runs a tool in the formatted editor. */
export type ToolRunner = (tool: (typeof TOOLS)[number]) => void;

type MarkdownTool = {
  name: string;
  /** Class of the icon in `styles/icons.css`. */
  icon: string;
  change: (marked: SelectedText) => TextEdit;
  key?: string;
};

function useMarkdownTools(): MarkdownTool[] {
  const t = useTranslate();
  return [
    { name: t("Bold"), icon: "icon-letter-b", change: (it) => toggleMark(it, "**"), key: "b" },
    { name: t("Italic"), icon: "icon-italic", change: (it) => toggleMark(it, "*"), key: "i" },
    { name: t("Link"), icon: "icon-link-2", change: insertLink },
    { name: t("Quotation"), icon: "icon-text-quote", change: (it) => togglePrefix(it, "> ") },
    { name: t("List"), icon: "icon-list", change: (it) => togglePrefix(it, "- ") },
    { name: t("Code"), icon: "icon-code", change: toggleMarkOrBlock("`", "```", "```") },
    { name: t("Spoiler"), icon: "icon-eye-off", change: toggleMarkOrBlock("||", "::: spoiler", ":::") },
  ];
}

type ToolbarProps = {
  field: RefObject<HTMLTextAreaElement | null>;
  /** Runs the tools where the formatted editor is shown in place of the field. */
  run: ToolRunner | null;
};

/**
 * Buttons that insert Markdown, or format the text. The toolbar is one tab stop; arrow keys move between its
 * buttons.
 */
export default function MarkdownToolbar({ field, run }: ToolbarProps) {
  const t = useTranslate();
  const tools = useMarkdownTools();
  const [at, setAt] = useState(0);
  const box = useRef<HTMLDivElement>(null);
  useToolShortcuts(field, tools);
  const walk = (event: KeyboardEvent) => {
    const next = nextToolIndex(event, at, tools.length);
    if (next === undefined) return;
    event.preventDefault();
    setAt(next);
    box.current?.querySelectorAll("button")[next]?.focus();
  };
  return (
    <div ref={box} role="toolbar" aria-label={t("Formatting")} className="writing-tools">
      {tools.map(({ name, icon, change, key }, i) => (
        <button
          key={name}
          type="button"
          title={name}
          aria-label={name}
          aria-keyshortcuts={key && `Control+${key.toUpperCase()}`}
          tabIndex={i === at ? 0 : -1}
          onFocus={() => setAt(i)}
          onKeyDown={walk}
          onClick={() => (run ? run(TOOLS[i]!) : applyEdit(field.current, change))}
        >
          <i className={`icon ${icon}`} />
        </button>
      ))}
    </div>
  );
}

function nextToolIndex({ key, currentTarget }: KeyboardEvent, at: number, count: number): number | undefined {
  const forward = getComputedStyle(currentTarget).direction === "rtl" ? -1 : 1;
  const steps: Record<string, number> = {
    ArrowRight: at + forward,
    ArrowLeft: at - forward,
    Home: 0,
    End: count - 1,
  };
  const next = steps[key];
  return next === undefined ? undefined : (next + count) % count;
}

/** Applies a tool when its letter is pressed with Control or ⌘ in the field. */
function useToolShortcuts(field: RefObject<HTMLTextAreaElement | null>, tools: MarkdownTool[]) {
  const latest = useRef(tools);
  useEffect(() => void (latest.current = tools));
  useEffect(() => {
    const text = field.current;
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
      const tool = latest.current.find(({ key }) => key === event.key);
      if (!tool) return;
      event.preventDefault();
      applyEdit(text, tool.change);
    };
    text?.addEventListener("keydown", onKey);
    return () => text?.removeEventListener("keydown", onKey);
  }, [field]);
}

/** Inserts the text as if it were typed, so that the browser can undo it. */
function applyEdit(field: HTMLTextAreaElement | null, change: (marked: SelectedText) => TextEdit) {
  if (!field || field.readOnly) return;
  const { from, to, put, select } = change({
    text: field.value,
    from: field.selectionStart,
    to: field.selectionEnd,
  });
  field.focus();
  field.setSelectionRange(from, to);
  if (!document.execCommand("insertText", false, put)) {
    field.setRangeText(put, from, to);
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
  field.setSelectionRange(...select);
}
