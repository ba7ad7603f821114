/**
 * Keeps what is typed into long fields, and chosen in lists, while the app wakes: it would write over it what the server had sent (React
 * sets the value of both anew when it takes them over). Gives the way to put it back, once the page is awake.
 */
export function keepEarlyWords(): () => void {
  const typed = new Map<HTMLTextAreaElement | HTMLSelectElement, string>();
  const note = (it: EventTarget | null) => {
    if (it instanceof HTMLTextAreaElement && (it.value !== it.defaultValue || typed.has(it))) typed.set(it, it.value);
    if (it instanceof HTMLSelectElement && ([...it.options].some((option) => option.selected !== option.defaultSelected) || typed.has(it)))
      typed.set(it, it.value);
  };
  const listen = ({ target }: Event) => note(target);
  document.querySelectorAll("textarea, select").forEach(note);
  document.addEventListener("input", listen, true);
  return () => {
    document.removeEventListener("input", listen, true);
    for (const [field, words] of typed) if (field.isConnected && field.value !== words) write(field, words);
  };
}

/** As if it were typed or chosen now: whoever listens to the field hears of it. */
function write(field: HTMLTextAreaElement | HTMLSelectElement, words: string) {
  const kind = field instanceof HTMLTextAreaElement ? HTMLTextAreaElement : HTMLSelectElement;
  Object.getOwnPropertyDescriptor(kind.prototype, "value")!.set!.call(field, words);
  for (const event of ["input", "change"]) field.dispatchEvent(new Event(event, { bubbles: true }));
}
