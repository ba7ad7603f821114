import { type KeyboardEvent, useState } from "react";
import { useHydrated } from "../../ui/hooks/use-hydrated.ts";

const DAYS = "[data-day]";
/** Number of days that each key moves; in right-to-left pages left and right are swapped. */
const STEPS: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };

/**
 * Arrow keys, Home and End move the focus among the days of a month. Only one day is in the tab order;
 * without scripts, all are.
 */
export function useGridKeys(month: string, today: string) {
  const hydrated = useHydrated();
  const [chosen, setChosen] = useState("");
  const first = today.startsWith(month) ? today : `${month}-01`;
  const current = chosen.startsWith(month) ? chosen : first;
  const onKeyDown = (event: KeyboardEvent<HTMLTableElement>) => {
    const from = event.target instanceof Element ? event.target.closest<HTMLElement>(DAYS) : null;
    if (!from || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const days = [...event.currentTarget.querySelectorAll<HTMLElement>(DAYS)];
    const to = days[target(days.indexOf(from), event.key, isRightToLeft(event.currentTarget))];
    if (!to) return;
    event.preventDefault();
    setChosen(to.dataset["day"]!);
    to.focus();
  };
  return { onKeyDown, tabIndex: (day: string) => (!hydrated || day === current ? undefined : -1) };
}

const isRightToLeft = (table: Element) => getComputedStyle(table).direction === "rtl";

/** Index of the day that a key moves to; -1 for other keys. */
function target(from: number, key: string, mirrored: boolean): number {
  if (key === "Home") return from - (from % 7);
  if (key === "End") return from - (from % 7) + 6;
  const step = STEPS[key];
  if (step === undefined) return -1;
  return from + (mirrored && Math.abs(step) === 1 ? -step : step);
}
