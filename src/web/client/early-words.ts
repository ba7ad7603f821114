/**
 * Keeps what is typed into long fields while the app wakes: it would write over it what the server had sent (React sets the
 * value of a textarea anew when it takes it over). Gives the way to put it back, once the page is awake.
 */
export function keepEarlyWords(): () => void {
  const typed = new Map<HTMLTextAreaElement, string>();
  const note = (it: EventTarget | null) => {
    if (it instanceof HTMLTextAreaElement && (it.value !== it.defaultValue || typed.has(it))) typed.set(it, it.value);
  };
  const listen = ({ target }: Event) => note(target);
  document.querySelectorAll("textarea").forEach(note);
  document.addEventListener("input", listen, true);
  return () => {
    document.removeEventListener("input", listen, true);
    for (const [field, words] of typed) if (field.isConnected && field.value !== words) write(field, words);
  };
}

/** As if it were typed now: whoever listens to the field hears of it. */
function write(field: HTMLTextAreaElement, words: string) {
  Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value")!.set!.call(field, words);
  field.dispatchEvent(new Event("input", { bubbles: true }));
}
