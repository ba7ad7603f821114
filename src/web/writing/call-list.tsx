import { useEffect, useId, useState } from "react";
import type { Callable } from "#community/discussions";
import { Avatar } from "../ui/avatar.tsx";
import { urls } from "../urls.ts";
import { useWords } from "../words/index.ts";

type Props = { field: HTMLTextAreaElement; place: string; typed: string; from: number; to: number; close: () => void };

/** Asked for once the hand rests so long (ms). */
const REST = 120;

/** Who can be called, under the field: the arrows choose, Enter or Tab takes, Escape closes. The focus stays in the text. */
export default function CallList({ field, place, typed, from, to, close }: Props) {
  const t = useWords();
  const id = useId();
  const found = useCallable(place, typed);
  const [chosen, setChosen] = useState(0);
  const at = Math.min(chosen, found.length - 1);
  const take = ({ name }: Callable) => {
    field.focus();
    field.setRangeText(`@${name} `, from, to, "end");
    field.dispatchEvent(new Event("input", { bubbles: true }));
    close();
  };

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const key = event.key;
      if (found.length === 0 || event.ctrlKey || event.metaKey || event.isComposing) return;
      if (key === "ArrowDown") setChosen((at + 1) % found.length);
      else if (key === "ArrowUp") setChosen((at + found.length - 1) % found.length);
      else if (key === "Enter" || key === "Tab") take(found[at]!);
      else if (key === "Escape") close();
      else return;
      event.preventDefault();
      event.stopPropagation();
    };
    field.addEventListener("keydown", onKey, true);
    return () => field.removeEventListener("keydown", onKey, true);
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
        {t("{count, plural, =0 {Nobody by that name} one {# suggestion} other {# suggestions}}", { count: found.length })}
      </p>
      {found.length > 0 && (
        <div id={id} role="listbox" tabIndex={-1} aria-label={t("Whom to call")} className="call-list">
          {found.map((it, index) => (
            // The field keeps the focus: what is pressed is taken before it would go.
            <div
              key={it.name}
              id={`${id}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === at}
              className="menu-item"
              onPointerDown={(event) => {
                event.preventDefault();
                take(it);
              }}
            >
              {!it.isGroup && <Avatar person={{ id: it.id, name: it.label, photoId: it.photoId }} size={24} />}
              <span dir="auto" className="min-w-0 truncate">
                {it.label}
              </span>
              <bdi className="text-small text-quiet">@{it.name}</bdi>
            </div>
          ))}
        </div>
      )}
    </>
  );
}

function useCallable(place: string, typed: string): Callable[] {
  const [found, setFound] = useState<Callable[]>([]);
  useEffect(() => {
    const stop = new AbortController();
    const timer = setTimeout(async () => {
      // No answer is no suggestion; what is typed stands by itself.
      const answer = await fetch(urls.whoCanBeCalled(place, typed), { signal: stop.signal }).catch(() => null);
      const people = answer?.ok ? ((await answer.json().catch(() => [])) as Callable[]) : [];
      if (!stop.signal.aborted) setFound(people);
    }, REST);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [place, typed]);
  return found;
}
