import {
  type ClipboardEvent,
  type DragEvent,
  type KeyboardEvent,
  type ReactNode,
  type SyntheticEvent,
  Suspense,
  type TextareaHTMLAttributes,
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
import MarkdownToolbar from "./markdown-toolbar.tsx";

const MentionSuggestions = lazyComponent(() => import("./mention-suggestions.tsx"));
const PendingPictures = lazyComponent(() => import("./pending-pictures.tsx"));
const PendingFiles = lazyComponent(() => import("./pending-files.tsx"));

/** Matches an `@` and the beginning of a name, directly before the caret. */
const MENTION_PREFIX = /(?:^|[\s(])@([\p{L}\p{N}_.-]{1,30})$/u;

type TypedMention = { field: HTMLTextAreaElement; typed: string; from: number; to: number };
type ChosenFile = { id: number; file: File };

/**
 * The text field of a composer. `place` is the draft target. With scripts, the field suggests mentions, has
 * a Markdown toolbar, accepts pasted, dropped or chosen pictures (with `files`, any files), and ⌘ or Ctrl
 * with Enter submits. Without scripts it is a plain field.
 */
export function ComposerField({
  place,
  files = false,
  ...rest
}: { place?: string; files?: boolean } & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  const [calling, setCalling] = useState<TypedMention | null>(null);
  const [chosen, setChosen] = useState<ChosenFile[]>([]);
  const count = useRef(0);
  const field = useRef<HTMLTextAreaElement>(null);
  const hydrated = useHydrated();
  const t = useTranslate();
  // Conversations have no mentions, since everybody in them reads everything.
  const calls = place?.startsWith("conversation:") === false;
  const look = ({ currentTarget }: SyntheticEvent<HTMLTextAreaElement>) =>
    calls && setCalling(findTypedMention(currentTarget));
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
  const take = (event: ClipboardEvent | DragEvent, data: DataTransfer | null) => {
    if (place && data && add(data.files)) event.preventDefault();
  };
  return (
    <div className="relative">
      <textarea
        {...rest}
        // A text with a picture may be empty.
        required={rest.required && chosen.length === 0}
        ref={field}
        dir="auto"
        className="input"
        onKeyDown={submitOnEnter}
        onInput={look}
        onClick={look}
        onBlur={() => setCalling(null)}
        onPaste={(event) => take(event, event.clipboardData)}
        onDrop={(event) => take(event, event.dataTransfer)}
      />
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
      {place && hydrated && (
        <div className="writing-foot">
          <FilePicker choose={add} accept={PICTURE_TYPES}>
            <i className="icon icon-image-plus" />
            <span>{t("Add picture")}</span>
          </FilePicker>
          {files && (
            <FilePicker choose={add}>
              <i className="icon icon-paperclip" />
              <span>{t("Add file")}</span>
            </FilePicker>
          )}
          <MarkdownToolbar field={field} />
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

function findTypedMention(field: HTMLTextAreaElement): TypedMention | null {
  const { value, selectionStart: to, selectionEnd } = field;
  const typed =
    to === selectionEnd ? MENTION_PREFIX.exec(value.slice(Math.max(0, to - 40), to))?.[1] : undefined;
  return typed === undefined ? null : { field, typed, from: to - typed.length - 1, to };
}
