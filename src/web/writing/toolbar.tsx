import { Bold, Code, EyeOff, Italic, Link2, List, type LucideIcon, TextQuote } from "lucide-react";
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from "react";
import { useWords } from "../words/index.ts";
import { around, asBlockOr, asLink, atLines, type Change, type Marked } from "./marks.ts";

type Tool = { name: string; Icon: LucideIcon; change: (marked: Marked) => Change; key?: string };

function useTools(): Tool[] {
  const t = useWords();
  return [
    { name: t("Bold"), Icon: Bold, change: (it) => around(it, "**"), key: "b" },
    { name: t("Italic"), Icon: Italic, change: (it) => around(it, "*"), key: "i" },
    { name: t("Link"), Icon: Link2, change: asLink },
    { name: t("Quotation"), Icon: TextQuote, change: (it) => atLines(it, "> ") },
    { name: t("List"), Icon: List, change: (it) => atLines(it, "- ") },
    { name: t("Code"), Icon: Code, change: asBlockOr("`", "```", "```") },
    { name: t("Spoiler"), Icon: EyeOff, change: asBlockOr("||", "::: spoiler", ":::") },
  ];
}

/** Buttons that insert Markdown. One tab stop; arrow keys move within it. */
export default function Toolbar({ field }: { field: RefObject<HTMLTextAreaElement | null> }) {
  const t = useWords();
  const tools = useTools();
  const [at, setAt] = useState(0);
  const box = useRef<HTMLDivElement>(null);
  useKeys(field, tools);
  const walk = (event: KeyboardEvent) => {
    const next = nextOf(event, at, tools.length);
    if (next === undefined) return;
    event.preventDefault();
    setAt(next);
    box.current?.querySelectorAll("button")[next]?.focus();
  };
  return (
    <div ref={box} role="toolbar" aria-label={t("Formatting")} className="writing-tools">
      {tools.map(({ name, Icon, change, key }, i) => (
        <button
          key={name}
          type="button"
          title={name}
          aria-label={name}
          aria-keyshortcuts={key && `Control+${key.toUpperCase()}`}
          tabIndex={i === at ? 0 : -1}
          onFocus={() => setAt(i)}
          onKeyDown={walk}
          onClick={() => write(field.current, change)}
        >
          <Icon size={18} strokeWidth={1.75} aria-hidden />
        </button>
      ))}
    </div>
  );
}

function nextOf({ key, currentTarget }: KeyboardEvent, at: number, count: number): number | undefined {
  const forward = getComputedStyle(currentTarget).direction === "rtl" ? -1 : 1;
  const steps: Record<string, number> = { ArrowRight: at + forward, ArrowLeft: at - forward, Home: 0, End: count - 1 };
  const next = steps[key];
  return next === undefined ? undefined : (next + count) % count;
}

/** Control or ⌘ with the letter of a tool, while typing. */
function useKeys(field: RefObject<HTMLTextAreaElement | null>, tools: Tool[]) {
  const latest = useRef(tools);
  useEffect(() => void (latest.current = tools));
  useEffect(() => {
    const text = field.current;
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
      const tool = latest.current.find(({ key }) => key === event.key);
      if (!tool) return;
      event.preventDefault();
      write(text, tool.change);
    };
    text?.addEventListener("keydown", onKey);
    return () => text?.removeEventListener("keydown", onKey);
  }, [field]);
}

/** Applied like typing, so that the browser can undo it. */
function write(field: HTMLTextAreaElement | null, change: (marked: Marked) => Change) {
  if (!field || field.readOnly) return;
  const { from, to, put, select } = change({ text: field.value, from: field.selectionStart, to: field.selectionEnd });
  field.focus();
  field.setSelectionRange(from, to);
  if (!document.execCommand("insertText", false, put)) {
    field.setRangeText(put, from, to);
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
  field.setSelectionRange(...select);
}
