type Field = HTMLTextAreaElement | HTMLSelectElement;

/**
 * Keeps text and choices entered before hydration: React resets the values of textareas and selects to the
 * server's when it hydrates them. Forms submitted meanwhile are sent as entered.
 */
export function keepEarlyWords(): void {
  const typed = new Map<Field, string>();
  const note = (it: EventTarget | null) => {
    if (isField(it) && (typed.has(it) || isChanged(it))) typed.set(it, it.value);
  };
  const listen = ({ target }: Event) => note(target);
  const putBack = () => {
    for (const [field, words] of typed) if (field.isConnected && field.value !== words) write(field, words);
  };
  document.querySelectorAll("textarea, select").forEach(note);
  document.addEventListener("input", listen, true);
  document.addEventListener("submit", putBack, true);
  wake = () => {
    wake = nothing;
    document.removeEventListener("input", listen, true);
    document.removeEventListener("submit", putBack, true);
    putBack();
  };
}

const nothing = () => {};
let wake: () => void = nothing;
/** Restores text and choices entered before hydration. Only the first call has an effect. */
export const putBackEarlyWords = (): void => wake();

const isField = (it: unknown): it is Field => it instanceof HTMLTextAreaElement || it instanceof HTMLSelectElement;

const isChanged = (field: Field): boolean =>
  field instanceof HTMLTextAreaElement
    ? field.value !== field.defaultValue
    : [...field.options].some((option) => option.selected !== option.defaultSelected);

/** Sets a value as if it were entered now, so that listeners of the field hear of it. */
function write(field: Field, words: string) {
  const kind = field instanceof HTMLTextAreaElement ? HTMLTextAreaElement : HTMLSelectElement;
  Object.getOwnPropertyDescriptor(kind.prototype, "value")!.set!.call(field, words);
  for (const event of ["input", "change"]) field.dispatchEvent(new Event(event, { bubbles: true }));
}
