import { useEffect, useState } from "react";
import { isInputMethodKey } from "../client/input-method.ts";

type ListboxOptions = {
  /** The field that keeps the focus. */
  field: HTMLElement;
  /** Id of the list; its options have this id and their index. */
  id: string;
  count: number;
  take: (index: number) => void;
  close: () => void;
};

/**
 * Operates a list of suggestions from the field: arrow keys select, Enter or Tab takes, Escape closes.
 * Returns the index of the selected option.
 */
export function useListbox({ field, id, count, take, close }: ListboxOptions): number {
  const [chosen, setChosen] = useState(0);
  const at = Math.min(chosen, count - 1);

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const key = event.key;
      if (count === 0 || event.ctrlKey || event.metaKey || isInputMethodKey(event)) return;
      if (key === "ArrowDown") setChosen((at + 1) % count);
      else if (key === "ArrowUp") setChosen((at + count - 1) % count);
      else if (key === "Enter" || key === "Tab") take(at);
      else if (key === "Escape") close();
      else return;
      event.preventDefault();
      event.stopPropagation();
    };
    field.addEventListener("keydown", onKey, true);
    return () => field.removeEventListener("keydown", onKey, true);
  });

  useEffect(() => {
    if (count === 0) return;
    const tied = {
      "aria-autocomplete": "list",
      "aria-haspopup": "listbox",
      "aria-controls": id,
      "aria-activedescendant": `${id}-${at}`,
    };
    for (const [name, value] of Object.entries(tied)) field.setAttribute(name, value);
    return () => Object.keys(tied).forEach((name) => field.removeAttribute(name));
  }, [field, id, at, count]);

  return at;
}
