import {
  type ClipboardEvent,
  type DragEvent,
  type KeyboardEvent,
  type ReactNode,
  type SyntheticEvent,
  Suspense,
  type TextareaHTMLAttributes,
  useCallback,
  useRef,
  useState,
} from "react";
import { isInputMethodKey } from "../client/input-method.ts";
import { lazyComponent } from "../client/lazy-component.ts";
import { useHydrated } from "../ui/hooks/use-hydrated.ts";
import { useRootData } from "../ui/hooks/use-root-data.ts";
import { urls } from "../urls.ts";
import { useTranslate } from "../i18n/index.ts";
import { SubmitGuard } from "./submit-guard.tsx";
import MarkdownToolbar, { type ToolRunner } from "./markdown-toolbar.tsx";
import { useFormattedEditor } from "./use-formatted-editor.ts";

const MentionSuggestions = lazyComponent(() => import("./mention-suggestions.tsx"));
const PendingPictures = lazyComponent(() => import("./pending-pictures.tsx"));
const PendingFiles = lazyComponent(() => import("./pending-files.tsx"));

/** Matches an `@` and the beginning of a name, directly before the caret. */
const MENTION_PREFIX = /(?:^|[\s(])@([\p{L}\p{N}_.-]{1,30})$/u;

export type TypedMention = {
  field: HTMLElement;
  typed: string;
  from: number;
  to: number;
  insert?: (text: string, from: number) => void;
};
type ChosenFile = { id: number; file: File };

/**
 * The text field of a composer. `place` is the draft target. With scripts, the field suggests mentions,
 * accepts pasted, dropped or chosen pictures (with `files`, any files), and ⌘ or Ctrl with Enter submits.
 * With a place or `markdown`, it has a toolbar and can format the text while it is written. Without scripts
 * it is a plain field.
 */
export function ComposerField({
  place,
  files = false,
  markdown = place !== undefined,
  ...rest
}: { place?: string; files?: boolean; markdown?: boolean } & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  const [calling, setCalling] = useState<TypedMention | null>(null);
  const [chosen, setChosen] = useState<ChosenFile[]>([]);
  const count = useRef(0);
  const field = useRef<HTMLTextAreaElement>(null);
  const hydrated = useHydrated();
  const t = useTranslate();
  // Conversations have no mentions, since everybody in them reads everything.
  const calls = place?.startsWith("conversation:") === false;
  const [run, setRun] = useState<ToolRunner | null>(null);
  const { editor, toggle } = useFormattedEditor(field, markdown);
  const setRunner = useCallback((runner: ToolRunner | null) => setRun(() => runner), []);
  const look = ({ currentTarget }: SyntheticEvent<HTMLTextAreaElement>) =>
    calls && !editor && setCalling(findTypedMention(currentTarget));
  const add = (given: Iterable<File>) => {
    const taken = [...given]
      .filter((file) => files || isPicture(file))
      .map((file) => ({ id: ++count.current, file }));
    if (taken.length > 0) setChosen((before) => [...before, ...taken]);
    return taken.length > 0;
  };
  const done = (id: number) => setChosen((all) => all.filter((it) => it.id !== id));
  const [pictures, others] = [
    chosen.filter((it) => isPicture(it.file)),
    chosen.filter((it) => !isPicture(it.file)),
  ];
  const takeFiles = (data: DataTransfer | null) => Boolean(place && data && add(data.files));
  const take = (event: ClipboardEvent | DragEvent, data: DataTransfer | null) => {
    if (takeFiles(data)) event.preventDefault();
  };
  return (
    <div className="relative">
      <textarea
        {...rest}
        // A text with a picture may be empty.
        required={rest.required && chosen.length === 0}
        ref={field}
        dir="auto"
        className={editor ? "input behind-editor" : "input"}
        {...(editor && { "aria-hidden": true, tabIndex: -1 })}
        onKeyDown={submitOnEnter}
        onInput={look}
        onClick={look}
        onBlur={() => setCalling(null)}
        onPaste={(event) => take(event, event.clipboardData)}
        onDrop={(event) => take(event, event.dataTransfer)}
        onCompositionStart={({ currentTarget }) => (currentTarget.dataset["composing"] = "")}
        onCompositionEnd={({ currentTarget }) => delete currentTarget.dataset["composing"]}
      />
      {editor && (
        <editor.Editor
          field={editor.field}
          setRunner={setRunner}
          findMention={calls ? readTypedName : noName}
          setMention={setCalling}
          takeFiles={takeFiles}
        />
      )}
      <WriterField />
      {place && calling && (
        <Suspense>
          <MentionSuggestions
            {...calling}
            label={t("Mention someone")}
            ask={urls.whoCanBeCalled(place, calling.typed)}
            written={({ name }) => `@${name} `}
            close={() => setCalling(null)}
          />
        </Suspense>
      )}
      {markdown && hydrated && (
        <div className="writing-foot">
          {place && (
            <FilePicker choose={add} accept={PICTURE_TYPES}>
              <i className="icon icon-image-plus" />
              <span>{t("Add picture")}</span>
            </FilePicker>
          )}
          {files && (
            <FilePicker choose={add}>
              <i className="icon icon-paperclip" />
              <span>{t("Add file")}</span>
            </FilePicker>
          )}
          <MarkdownToolbar field={field} run={run} />
          {toggle && (
            <button type="button" className="writing-mode" onClick={toggle}>
              <i className="icon icon-type" />
              <span>{editor ? "Markdown" : t("Formatted text")}</span>
            </button>
          )}
        </div>
      )}
      {place && pictures.length > 0 && (
        <Suspense fallback={<SubmitGuard />}>
          <PendingPictures chosen={pictures} target={place} done={done} />
        </Suspense>
      )}
      {others.length > 0 && (
        <Suspense fallback={<SubmitGuard />}>
          <PendingFiles chosen={others} done={done} />
        </Suspense>
      )}
    </div>
  );
}

/**
 * Stores who opened the form, so that another person who signs in meanwhile in the same browser does not
 * send this text.
 */
function WriterField() {
  const { me } = useRootData();
  const [writer, setWriter] = useState(me?.id);
  // A guest may write first and sign in later: the writer is then the person who signed in.
  if (writer === undefined && me) setWriter(me.id);
  return writer && <input type="hidden" name="writer" value={writer} />;
}

const PICTURE_TYPES = "image/jpeg,image/png,image/webp,image/gif,image/avif";
const isPicture = (file: File) => file.type.startsWith("image/");

function FilePicker({
  choose,
  accept,
  children,
}: {
  choose: (files: Iterable<File>) => void;
  accept?: string;
  children: ReactNode;
}) {
  return (
    <label className="choose-picture">
      {children}
      <input
        type="file"
        accept={accept}
        multiple
        className="sr-only"
        onChange={({ currentTarget }) => {
          choose(currentTarget.files ?? []);
          currentTarget.value = "";
        }}
      />
    </label>
  );
}

const submitOnEnter = (event: KeyboardEvent<HTMLTextAreaElement>) => {
  if (
    event.key === "Enter" &&
    !isInputMethodKey(event.nativeEvent) &&
    (event.metaKey || event.ctrlKey) &&
    !event.currentTarget.readOnly
  )
    event.currentTarget.form?.requestSubmit();
};

const readTypedName = (before: string) => MENTION_PREFIX.exec(before)?.[1];
const noName = () => undefined;

function findTypedMention(field: HTMLTextAreaElement): TypedMention | null {
  const { value, selectionStart: to, selectionEnd } = field;
  const typed = to === selectionEnd ? readTypedName(value.slice(Math.max(0, to - 40), to)) : undefined;
  return typed === undefined ? null : { field, typed, from: to - typed.length - 1, to };
}
