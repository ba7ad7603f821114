import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useTranslate } from "../../i18n/index.ts";
import type { TypedMention } from "../composer-field.tsx";
import type { ToolRunner } from "../markdown-toolbar.tsx";
import { CommandMenu, type MenuCommand } from "./command-menu.tsx";
import { type CaretText, type EditorHooks, FieldEditor } from "./field-editor.ts";
import { LinkForm } from "./link-form.tsx";
import "./formatted.css";

export type FormattedEditorProps = {
  field: HTMLTextAreaElement;
  /** Receives the function that runs the toolbar's tools, and null when the editor is closed. */
  setRunner: (run: ToolRunner | null) => void;
  /** Reads a name that is being typed at the end of a text. */
  findMention: (before: string) => string | undefined;
  setMention: (mention: TypedMention | null) => void;
  takeFiles: EditorHooks["takeFiles"];
};

/** A slash, directly before the caret, at the beginning of a line. */
const SLASH = /(?:^|\n)\/([\p{L}\p{M}]{0,20})$/u;
type TypedCommand = { typed: string; from: number };

/** Formats a text while it is written. The field keeps the text as Markdown. */
export default function FormattedEditor(props: FormattedEditorProps) {
  const t = useTranslate();
  const box = useRef<HTMLDivElement>(null);
  const [editor, setEditor] = useState<FieldEditor | null>(null);
  const [command, setCommand] = useState<TypedCommand | null>(null);
  const [link, setLink] = useState<string | null>(null);
  const instance = useRef<FieldEditor | null>(null);
  const hooks: EditorHooks = {
    changed: (caret, isTyped) => {
      setCommand(isTyped && caret ? findTypedCommand(caret) : null);
      const typed = caret ? props.findMention(caret.before) : undefined;
      props.setMention(
        typed === undefined || !caret || !instance.current
          ? null
          : {
              field: instance.current.view.dom,
              typed,
              from: caret.to - typed.length - 1,
              to: caret.to,
              insert: (text, from) => instance.current?.insert(text, from),
            },
      );
    },
    takeFiles: props.takeFiles,
    editLink: () => setLink(instance.current?.findLink() ?? ""),
    taskLabel: t("Done"),
  };
  const latest = useRef(hooks);
  useEffect(() => void (latest.current = hooks));
  const { field, setRunner, setMention } = props;
  // The field takes the focus back before the editor is removed from the page.
  useLayoutEffect(() => {
    const made = new FieldEditor(box.current!, field, () => latest.current);
    instance.current = made;
    setEditor(made);
    setRunner((tool) => (tool === "link" ? latest.current.editLink() : made.run(tool)));
    return () => {
      setRunner(null);
      setMention(null);
      made.destroy();
    };
  }, [field, setRunner, setMention]);

  const place = useCallback((it: HTMLElement | null) => it && instance.current?.placeAtCaret(it), []);
  const choose = (name: MenuCommand) => {
    if (!editor || !command) return;
    setCommand(null);
    if (name !== "poll" && name !== "link") return editor.run(name, command.from);
    editor.insert("", command.from);
    if (name === "link") setLink("");
    else openPoll(field.form);
  };
  return (
    <div ref={box} onBlur={() => setCommand(null)}>
      {editor && command && (
        <CommandMenu
          field={editor.view.dom}
          form={field.form}
          typed={command.typed}
          place={place}
          choose={choose}
          close={() => setCommand(null)}
        />
      )}
      {editor && link !== null && (
        <LinkForm
          address={link}
          place={place}
          apply={(address) => {
            setLink(null);
            editor.setLink(address);
          }}
          close={() => {
            setLink(null);
            editor.view.focus();
          }}
        />
      )}
    </div>
  );
}

function findTypedCommand({ before, to }: CaretText): TypedCommand | null {
  const typed = SLASH.exec(before)?.[1];
  return typed === undefined ? null : { typed, from: to - typed.length - 1 };
}

function openPoll(form: HTMLFormElement | null) {
  const options = form?.elements.namedItem("pollOptions");
  if (!(options instanceof HTMLTextAreaElement)) return;
  const fields = options.closest("details");
  if (fields) fields.open = true;
  options.focus();
}
