import { focusWhenOpen } from "./click-and-focus.ts";

const TEXT_FIELDS = ":is(input:is([type=text], [type=url], :not([type])), textarea)";

/**
 * Focuses the first empty field of a form that was opened to write something (`data-compose`), so that what is
 * typed next goes there. Until the field has the focus, no key acts as a shortcut.
 */
export function startFormFocus(): void {
  /** Number of forms that are being opened. */
  let opening = 0;
  const onToggle = ({ target }: Event) => {
    if (!(target instanceof HTMLDetailsElement) || !target.open) return;
    if (!target.querySelector(":scope > [data-compose]")) return;
    const fields = [...target.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(TEXT_FIELDS)];
    fields.find(({ value }) => value === "")?.focus();
  };
  const onClick = (event: MouseEvent) => {
    const opens = event.target instanceof Element && event.target.closest("a[data-compose]");
    if (!opens || event.metaKey || event.ctrlKey || event.shiftKey) return;
    opening += 1;
    void focusWhenOpen(location.href, `main form ${TEXT_FIELDS}`).finally(() => void (opening -= 1));
  };
  const onKey = (event: KeyboardEvent) => {
    const isText = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey;
    const isTyping = event.target instanceof Element && event.target.matches("input, textarea, select");
    if (isText && !isTyping && opening > 0) event.stopPropagation();
  };
  // The listeners use the capture phase: toggle events do not bubble, a click must be seen before the router
  // changes the address, and a key before it acts as a shortcut.
  document.addEventListener("toggle", onToggle, true);
  document.addEventListener("click", onClick, true);
  document.addEventListener("keydown", onKey, true);
}
