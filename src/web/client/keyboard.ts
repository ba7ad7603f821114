import { urls } from "../urls.ts";

const KEPT = "kith:keys";
/** Where `g` and a second letter lead. */
export const PLACES: Record<string, () => string> = {
  h: () => urls.home(),
  g: () => urls.groups(),
  d: () => urls.discussions(),
  m: () => urls.messages(),
  n: () => urls.notifications(),
  f: () => urls.friends(),
  r: () => urls.resources(),
};
/** How long after `g` the second letter may come. */
const SECOND_LETTER = 1500;

/** Single keys can be switched off in this browser: for who speaks to it, or presses keys by chance. */
export const keysAreOn = () => kept()?.getItem(KEPT) !== "off";
export const switchKeys = (on: boolean) => (on ? kept()?.removeItem(KEPT) : kept()?.setItem(KEPT, "off"));

/** A browser may refuse even to name its storage. */
function kept(): Storage | null {
  try {
    return localStorage;
  } catch {
    return null;
  }
}

type Ways = { go: (to: string) => void; showSheet: () => void; showPalette: () => void };

/** Listens to single keys; gives back the way to stop. `?` always works: its sheet has the switch. */
export function listenToKeys({ go, showSheet, showPalette }: Ways): () => void {
  let wentAt = -Infinity;
  const keys: Record<string, (event: KeyboardEvent) => void> = {
    "/": () => document.querySelector<HTMLElement>("main input[type=search]:not([hidden]), .shell-rail input[type=search]")?.focus(),
    j: () => step(1),
    k: () => step(-1),
    r: () => document.querySelector<HTMLElement>("#reply textarea, [data-composer] textarea")?.focus(),
    g: (event) => void (wentAt = event.timeStamp),
  };
  const onKey = (event: KeyboardEvent) => {
    // Wherever one is, and while one writes.
    if (
      (event.ctrlKey || event.metaKey) &&
      !event.altKey &&
      !event.shiftKey &&
      event.key === "k" &&
      !document.querySelector("dialog[open]")
    )
      return take(event, showPalette);
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event.target)) return;
    if (event.key === "?") return take(event, showSheet);
    if (!keysAreOn()) return;
    const place = event.timeStamp - wentAt < SECOND_LETTER ? PLACES[event.key] : undefined;
    wentAt = -Infinity;
    if (place) return take(event, () => go(place()));
    const deed = keys[event.key];
    if (deed) take(event, () => deed(event));
  };
  document.addEventListener("keydown", onKey);
  return () => document.removeEventListener("keydown", onKey);
}

function take(event: KeyboardEvent, deed: () => void) {
  event.preventDefault();
  deed();
}

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || target.closest("input, textarea, select, dialog[open]") !== null);

/** To the next or previous post or line of the page, by focus, so that Enter and the tab key go on from there. */
function step(by: 1 | -1) {
  const items = [...document.querySelectorAll<HTMLElement>("main [data-item]")];
  if (items.length === 0) return;
  const here = items.findIndex((item) => item.contains(document.activeElement));
  const next = here >= 0 ? items[here + by] : firstInView(items, by);
  if (!next) return;
  const target = next.matches("[tabindex]") ? next : (next.querySelector<HTMLElement>("h2 a, h3 a, a") ?? next);
  target.focus({ preventScroll: true });
  next.scrollIntoView({ block: next.offsetHeight > innerHeight * 0.8 ? "start" : "nearest" });
}

const firstInView = (items: HTMLElement[], by: 1 | -1) =>
  by === 1
    ? items.find((item) => item.getBoundingClientRect().top >= 0)
    : items.findLast((item) => item.getBoundingClientRect().bottom <= innerHeight);
