import { useEffect, useId, useState } from "react";
import type { Recipient } from "#community/conversations";
import { Avatar } from "../ui/pictures/avatar.tsx";
import { useTranslate } from "../i18n/index.ts";
import { useListbox } from "./use-listbox.ts";

/** A suggested person or group; `cannot` is the reason why it cannot be chosen. */
export type Suggestion = {
  id: string;
  name: string;
  label: string;
  photoId: string | null;
  isGroup?: boolean;
  cannot?: string | null;
};

/** A person or group in the response; `why` is a reason not to choose it, which the field puts into words. */
export type FoundSuggestion = Suggestion & { why?: Recipient["why"] };

type SuggestionProps = {
  field: HTMLElement;
  /** Start of the typed letters, which the chosen suggestion replaces. */
  from: number;
  /** End of the typed letters. */
  to: number;
  label: string;
  /** Address that returns suggestions. */
  ask: string;
  /** Reads the suggestions from the response. */
  as?: (found: FoundSuggestion[]) => Suggestion[];
  /** Text inserted for the chosen suggestion. */
  written: (it: Suggestion) => string;
  /** Inserts a text in place of the letters from a position; without it, the field is a text field. */
  insert?: (text: string, from: number) => void;
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
  insert,
  close,
}: SuggestionProps) {
  const t = useTranslate();
  const id = useId();
  const answer = useSuggestions(ask);
  const found: Suggestion[] = as ? as(answer) : answer;
  const take = (suggestion: Suggestion) => {
    if (suggestion.cannot) return;
    if (insert) insert(written(suggestion), from);
    else if (field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement) {
      field.focus();
      field.setRangeText(written(suggestion), from, to, "end");
      field.dispatchEvent(new Event("input", { bubbles: true }));
    }
    close();
  };

  const at = useListbox({ field, id, count: found.length, take: (index) => take(found[index]!), close });

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

function useSuggestions(ask: string): FoundSuggestion[] {
  const [found, setFound] = useState<FoundSuggestion[]>([]);
  useEffect(() => {
    const stop = new AbortController();
    const timer = setTimeout(async () => {
      // Without a response there are no suggestions; the typed text stays.
      const answer = await fetch(ask, { signal: stop.signal }).catch(() => null);
      const people: FoundSuggestion[] = answer?.ok ? await answer.json().catch(() => []) : [];
      if (!stop.signal.aborted) setFound(people);
    }, TYPING_PAUSE);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [ask]);
  return found;
}
