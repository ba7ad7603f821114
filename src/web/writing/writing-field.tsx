import { type KeyboardEvent, lazy, type SyntheticEvent, Suspense, type TextareaHTMLAttributes, useState } from "react";

const CallList = lazy(() => import("./call-list.tsx"));

/** An `@` and the beginning of a name, right before the caret. */
const CALLING = /(?:^|[\s(])@([\p{L}\p{N}_.-]{1,30})$/u;

type Calling = { field: HTMLTextAreaElement; typed: string; from: number; to: number };

/**
 * Where people write a text. `place` is what they write in: with scripts, whoever can be called there is offered while
 * a name is typed, and ⌘ or Ctrl with Enter sends. Without them it is a plain field.
 */
export function WritingField({ place, ...rest }: { place?: string } & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  const [calling, setCalling] = useState<Calling | null>(null);
  const look = ({ currentTarget }: SyntheticEvent<HTMLTextAreaElement>) => place && setCalling(callingIn(currentTarget));
  return (
    <div className="relative">
      <textarea
        {...rest}
        dir="auto"
        className="input"
        onKeyDown={sendOnEnter}
        onInput={look}
        onClick={look}
        onBlur={() => setCalling(null)}
      />
      {place && calling && (
        <Suspense>
          <CallList {...calling} place={place} close={() => setCalling(null)} />
        </Suspense>
      )}
    </div>
  );
}

const sendOnEnter = (event: KeyboardEvent<HTMLTextAreaElement>) => {
  if (event.key === "Enter" && (event.metaKey || event.ctrlKey) && !event.currentTarget.readOnly) event.currentTarget.form?.requestSubmit();
};

function callingIn(field: HTMLTextAreaElement): Calling | null {
  const { value, selectionStart: to, selectionEnd } = field;
  const typed = to === selectionEnd ? CALLING.exec(value.slice(Math.max(0, to - 40), to))?.[1] : undefined;
  return typed === undefined ? null : { field, typed, from: to - typed.length - 1, to };
}
