import { urls } from "../urls.ts";
import { loadOptionalChunk } from "./chunk-guard.ts";
import { isInputMethodKey } from "./input-method.ts";

const STORAGE_KEY = "kith:keys";
/** Pages that the shortcuts `g` plus a second letter open, by that letter. */
const DESTINATIONS: Record<string, () => string> = {
  h: urls.home,
  g: urls.groups,
  d: urls.discussions,
  m: urls.messages,
  n: urls.notifications,
  f: urls.friends,
  r: urls.resources,
};
/** Keys that `shortcut-actions.ts` handles. */
const ACTION_KEYS = "/jkocnprlebuax";
/** Milliseconds after `g` in which the second letter is accepted. */
const SECOND_KEY_TIMEOUT = 1500;

/**
 * Shortcuts can be switched off in this browser, for example with voice control or for people who press keys
 * by accident.
 */
export const areShortcutsOn = () => getLocalStorage()?.getItem(STORAGE_KEY) !== "off";
export const switchShortcuts = (on: boolean) =>
  on ? getLocalStorage()?.removeItem(STORAGE_KEY) : getLocalStorage()?.setItem(STORAGE_KEY, "off");

/** In some browsers, reading `localStorage` throws. */
function getLocalStorage(): Storage | null {
  try {
    return localStorage;
  } catch {
    return null;
  }
}

const loadActions = () => loadOptionalChunk(() => import("./after-hydration.ts"));
const noop = () => {};

type ShortcutHandlers = { go: (to: string) => void; showSheet: () => void; showPalette: () => void };

/**
 * Listens to shortcuts; returns a function that stops. `?` works even if shortcuts are off, because it opens
 * the dialog in which they can be switched on.
 */
export function listenToShortcuts({ go, showSheet, showPalette }: ShortcutHandlers): () => void {
  let wentAt = -Infinity;
  // Loads the actions before the first key is pressed. Otherwise letters typed while a slow shortcut focuses
  // a field would be taken for shortcuts.
  if (areShortcutsOn()) void loadActions().catch(noop);
  const onKey = (event: KeyboardEvent) => {
    const { key, target, timeStamp } = event;
    if (event.altKey || event.defaultPrevented || document.querySelector("dialog[open]")) return;
    // This shortcut also works while typing.
    if (event.ctrlKey || event.metaKey)
      return key === "k" && !event.shiftKey ? consume(event, showPalette) : undefined;
    if (isTyping(target)) return blurOnEscape(event);
    if (key === "?") return consume(event, showSheet);
    if (!areShortcutsOn()) return;
    const destination = timeStamp - wentAt < SECOND_KEY_TIMEOUT && DESTINATIONS[key];
    wentAt = key === "g" && !destination ? timeStamp : -Infinity;
    if (destination) consume(event, () => go(destination()));
    else if (ACTION_KEYS.includes(key))
      consume(event, () => void loadActions().then(({ runShortcut: press }) => press(event, go), noop));
  };
  document.addEventListener("keydown", onKey);
  return () => document.removeEventListener("keydown", onKey);
}

function consume(event: KeyboardEvent, action: () => void) {
  event.preventDefault();
  action();
}

const isTyping = (target: EventTarget | null): target is HTMLElement =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches("input, textarea, select"));

/** Escape leaves the text field without deleting its text; keys are shortcuts again. */
const blurOnEscape = (event: KeyboardEvent) =>
  event.key === "Escape" &&
  !isInputMethodKey(event) &&
  event.target instanceof HTMLTextAreaElement &&
  areShortcutsOn() &&
  event.target.blur();
