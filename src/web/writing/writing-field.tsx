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
import { isForInputMethod } from "../client/input-method.ts";
import { lazyPart } from "../client/lazy-part.ts";
import { useHydrated } from "../ui/use-hydrated.ts";
import { useRoot } from "../ui/use-root.ts";
import { urls } from "../urls.ts";
import { useWords } from "../words/index.ts";
import { UntilThere } from "./until-there.tsx";

const CallList = lazyPart(() => import("./call-list.tsx"));
const PictureTray = lazyPart(() => import("./picture-tray.tsx"));
const FileTray = lazyPart(() => import("./file-tray.tsx"));
const Toolbar = lazyPart(() => import("./toolbar.tsx"));

/** An `@` and the beginning of a name, right before the caret. */
const CALLING = /(?:^|[\s(])@([\p{L}\p{N}_.-]{1,30})$/u;

type Calling = { field: HTMLTextAreaElement; typed: string; from: number; to: number };
type Chosen = { id: number; file: File };

/**
 * The text field of a composer. `place` is the draft target: with scripts, it suggests mentions, has a
 * Markdown toolbar, accepts pasted, dropped or chosen pictures (and `files`), and ⌘ or Ctrl with Enter
 * submits. Without scripts it is a plain field.
 */
export function WritingField({
  place,
  files = false,
  ...rest
}: { place?: string; files?: boolean } & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  const [calling, setCalling] = useState<Calling | null>(null);
  const [chosen, setChosen] = useState<Chosen[]>([]);
  const count = useRef(0);
  const field = useRef<HTMLTextAreaElement>(null);
  const hydrated = useHydrated();
  const t = useWords();
  // Conversations have no mentions, since everybody in them reads everything.
  const calls = place?.startsWith("conversation:") === false;
  const look = ({ currentTarget }: SyntheticEvent<HTMLTextAreaElement>) => calls && setCalling(callingIn(currentTarget));
  const add = (given: Iterable<File>) => {
    const taken = [...given].filter((file) => files || isPicture(file)).map((file) => ({ id: ++count.current, file }));
    if (taken.length > 0) setChosen((before) => [...before, ...taken]);
    return taken.length > 0;
  };
  const done = (id: number) => setChosen((all) => all.filter((it) => it.id !== id));
  const [pictures, others] = [chosen.filter((it) => isPicture(it.file)), chosen.filter((it) => !isPicture(it.file))];
  const take = (event: ClipboardEvent | DragEvent, data: DataTransfer | null) => {
    if (place && data && add(data.files)) event.preventDefault();
  };
  return (
    <div className="relative">
      <textarea
        {...rest}
        // A picture alone is enough.
        required={rest.required && chosen.length === 0}
        ref={field}
        dir="auto"
        className="input"
        onKeyDown={sendOnEnter}
        onInput={look}
        onClick={look}
        onBlur={() => setCalling(null)}
        onPaste={(event) => take(event, event.clipboardData)}
        onDrop={(event) => take(event, event.dataTransfer)}
      />
      <Writer />
      {place && calling && (
        <Suspense>
          <CallList
            {...calling}
            label={t("Whom to call")}
            ask={urls.whoCanBeCalled(place, calling.typed)}
            written={({ name }) => `@${name} `}
            close={() => setCalling(null)}
          />
        </Suspense>
      )}
      {place && hydrated && (
        <div className="writing-foot">
          <Choose choose={add} accept={PICTURES}>
            <i className="icon icon-image-plus" />
            <span>{t("Add a picture")}</span>
          </Choose>
          {files && (
            <Choose choose={add}>
              <i className="icon icon-paperclip" />
              <span>{t("Add a file")}</span>
            </Choose>
          )}
          <Suspense>
            <Toolbar field={field} />
          </Suspense>
        </div>
      )}
      {place && pictures.length > 0 && (
        <Suspense fallback={<UntilThere />}>
          <PictureTray chosen={pictures} place={place} done={done} />
        </Suspense>
      )}
      {others.length > 0 && (
        <Suspense fallback={<UntilThere />}>
          <FileTray chosen={others} done={done} />
        </Suspense>
      )}
    </div>
  );
}

/**
 * Names the author since the form was opened, so that someone who signs in meanwhile in the same browser does
 * not send their text.
 */
function Writer() {
  const { me } = useRoot();
  const [writer, setWriter] = useState(me?.id);
  // A guest may write first and sign in to send.
  if (writer === undefined && me) setWriter(me.id);
  return writer && <input type="hidden" name="writer" value={writer} />;
}

const PICTURES = "image/jpeg,image/png,image/webp,image/gif,image/avif";
const isPicture = (file: File) => file.type.startsWith("image/");

function Choose({ choose, accept, children }: { choose: (files: Iterable<File>) => void; accept?: string; children: ReactNode }) {
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

const sendOnEnter = (event: KeyboardEvent<HTMLTextAreaElement>) => {
  if (event.key === "Enter" && !isForInputMethod(event.nativeEvent) && (event.metaKey || event.ctrlKey) && !event.currentTarget.readOnly)
    event.currentTarget.form?.requestSubmit();
};

function callingIn(field: HTMLTextAreaElement): Calling | null {
  const { value, selectionStart: to, selectionEnd } = field;
  const typed = to === selectionEnd ? CALLING.exec(value.slice(Math.max(0, to - 40), to))?.[1] : undefined;
  return typed === undefined ? null : { field, typed, from: to - typed.length - 1, to };
}
