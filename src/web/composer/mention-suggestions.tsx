import { useEffect, useId, useState } from "react";
import { isInputMethodKey } from "../client/input-method.ts";
import { Avatar } from "../ui/pictures/avatar.tsx";
import { useTranslate } from "../i18n/index.ts";

/** A suggested person or group; `cannot` is the reason why it cannot be chosen. */
export type Suggestion = {
  id: string;
  name: string;
  label: string;
  photoId: string | null;
  isGroup?: boolean;
  cannot?: string | null;
};

type SuggestionProps = {
  field: HTMLTextAreaElement | HTMLInputElement;
  /** Start of the typed letters, which the chosen suggestion replaces. */
  from: number;
  /** End of the typed letters. */
  to: number;
  label: string;
  /** Address that returns suggestions. */
  ask: string;
  /** Reads the suggestions from the response. */
  as?: (found: unknown[]) => Suggestion[];
  /** Text inserted for the chosen suggestion. */
  written: (it: Suggestion) => string;
  close: () => void;
};

/** Milliseconds without a keystroke before suggestions are fetched. */
const TYPING_PAUSE = 120;

/**
 * Suggested people and groups below the field: arrow keys select, Enter or Tab inserts, Escape closes. The
 * focus stays in the text.
 */
export default function MentionSuggestions({
  field,
  ask,
  as,
  written,
  label,
  from,
  to,
  close,
}: SuggestionProps) {
  const t = useTranslate();
  const id = useId();
  const answer = useSuggestions(ask);
  const found = as ? as(answer) : (answer as Suggestion[]);
  const [chosen, setChosen] = useState(0);
  const at = Math.min(chosen, found.length - 1);
  const take = (suggestion: Suggestion) => {
    if (suggestion.cannot) return;
    field.focus();
    field.setRangeText(written(suggestion), from, to, "end");
    field.dispatchEvent(new Event("input", { bubbles: true }));
    close();
  };

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const key = event.key;
      if (found.length === 0 || event.ctrlKey || event.metaKey || isInputMethodKey(event)) return;
      if (key === "ArrowDown") setChosen((at + 1) % found.length);
      else if (key === "ArrowUp") setChosen((at + found.length - 1) % found.length);
      else if (key === "Enter" || key === "Tab") take(found[at]!);
      else if (key === "Escape") close();
      else return;
      event.preventDefault();
      event.stopPropagation();
    };
    const input: HTMLElement = field;
    input.addEventListener("keydown", onKey, true);
    return () => input.removeEventListener("keydown", onKey, true);
  });

  useEffect(() => {
    if (found.length === 0) return;
    const tied = {
      "aria-autocomplete": "list",
      "aria-haspopup": "listbox",
      "aria-controls": id,
      "aria-activedescendant": `${id}-${at}`,
    };
    for (const [name, value] of Object.entries(tied)) field.setAttribute(name, value);
    return () => Object.keys(tied).forEach((name) => field.removeAttribute(name));
  }, [field, id, at, found.length]);

  return (
    <>
      <p role="status" className="sr-only">
        {t("{count, plural, =0 {No matches} one {# suggestion} other {# suggestions}}", {
          count: found.length,
        })}
      </p>
      {found.length > 0 && (
        <div id={id} role="listbox" tabIndex={-1} aria-label={label} className="call-list">
          {found.map((suggestion, index) => (
            // Handles the press of the pointer: a click would come after the field has lost the focus.
            <div
              key={suggestion.name}
              id={`${id}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === at}
              aria-disabled={suggestion.cannot ? true : undefined}
              className="menu-item"
              onPointerDown={(event) => {
                event.preventDefault();
                take(suggestion);
              }}
            >
              {!suggestion.isGroup && (
                <Avatar
                  person={{ id: suggestion.id, name: suggestion.label, photoId: suggestion.photoId }}
                  size={24}
                />
              )}
              <span dir="auto" className="min-w-0 truncate">
                {suggestion.label}
              </span>
              <bdi className="text-small text-quiet">@{suggestion.name}</bdi>
              {suggestion.cannot && <span className="text-small text-quiet">{suggestion.cannot}</span>}
            </div>
          ))}
        </div>
      )}
    </>
  );
}

function useSuggestions(ask: string): unknown[] {
  const [found, setFound] = useState<unknown[]>([]);
  useEffect(() => {
    const stop = new AbortController();
    const timer = setTimeout(async () => {
      // Without a response there are no suggestions; the typed text stays.
      const answer = await fetch(ask, { signal: stop.signal }).catch(() => null);
      const people = answer?.ok ? ((await answer.json().catch(() => [])) as unknown[]) : [];
      if (!stop.signal.aborted) setFound(people);
    }, TYPING_PAUSE);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [ask]);
  return found;
}
