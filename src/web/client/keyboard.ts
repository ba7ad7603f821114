import { urls } from "../urls.ts";
import { fetchPart } from "./chunk-guard.ts";
import { isForInputMethod } from "./input-method.ts";

const KEPT = "kith:keys";
/** Destinations of `g` and a second letter. */
const PLACES: Record<string, () => string> = {
  h: urls.home,
  g: urls.groups,
  d: urls.discussions,
  m: urls.messages,
  n: urls.notifications,
  f: urls.friends,
  r: urls.resources,
};
/** Keys of `shortcut-actions.ts`. */
const DEEDS = "/jkocnprlebu";
/** Milliseconds after `g` within which the second letter may come. */
const SECOND_LETTER = 1500;

/**
 * Shortcuts can be switched off in this browser, for example with voice control or for people who press keys
 * by accident.
 */
export const keysAreOn = () => kept()?.getItem(KEPT) !== "off";
export const switchKeys = (on: boolean) => (on ? kept()?.removeItem(KEPT) : kept()?.setItem(KEPT, "off"));

/** A browser may throw when `localStorage` is merely accessed. */
function kept(): Storage | null {
  try {
    return localStorage;
  } catch {
    return null;
  }
}

const loadDeeds = () => fetchPart(() => import("./key-deeds.ts"));
const nothing = () => {};

type Ways = { go: (to: string) => void; showSheet: () => void; showPalette: () => void };

/** Listens to shortcuts; returns a function that stops. `?` always works, since its dialog has the switch. */
export function listenToKeys({ go, showSheet, showPalette }: Ways): () => void {
  let wentAt = -Infinity;
  // Loaded before the first key is pressed: a slow shortcut that focuses a field would take further letters
  // for shortcuts.
  if (keysAreOn()) void loadDeeds().catch(nothing);
  const onKey = (event: KeyboardEvent) => {
    const { key, target, timeStamp } = event;
    if (event.altKey || event.defaultPrevented || document.querySelector("dialog[open]")) return;
    // Works everywhere, also while typing.
    if (event.ctrlKey || event.metaKey) return key === "k" && !event.shiftKey ? take(event, showPalette) : undefined;
    if (isTyping(target)) return leaveText(event);
    if (key === "?") return take(event, showSheet);
    if (!keysAreOn()) return;
    const place = timeStamp - wentAt < SECOND_LETTER && PLACES[key];
    wentAt = key === "g" && !place ? timeStamp : -Infinity;
    if (place) take(event, () => go(place()));
    else if (DEEDS.includes(key)) take(event, () => void loadDeeds().then(({ press }) => press(event, go), nothing));
  };
  document.addEventListener("keydown", onKey);
  return () => document.removeEventListener("keydown", onKey);
}

function take(event: KeyboardEvent, deed: () => void) {
  event.preventDefault();
  deed();
}

const isTyping = (target: EventTarget | null): target is HTMLElement =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches("input, textarea, select"));

/** Leaves the text field: its text stays, and keys are shortcuts again. */
const leaveText = (event: KeyboardEvent) =>
  event.key === "Escape" && !isForInputMethod(event) && event.target instanceof HTMLTextAreaElement && keysAreOn() && event.target.blur();
