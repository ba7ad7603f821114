type EarlyField = HTMLTextAreaElement | HTMLSelectElement;

/**
 * Keeps text and choices that were entered before hydration: when React hydrates textareas and selects, it
 * resets them to the server's values. Forms submitted meanwhile contain the entered values.
 */
export function keepEarlyInput(): void {
  const typed = new Map<EarlyField, string>();
  const note = (it: EventTarget | null) => {
    if (isField(it) && (typed.has(it) || isFieldChanged(it))) typed.set(it, it.value);
  };
  const listen = ({ target }: Event) => note(target);
  const putBack = () => {
    for (const [field, words] of typed)
      if (field.isConnected && field.value !== words) setFieldValue(field, words);
  };
  document.querySelectorAll("textarea, select").forEach(note);
  document.addEventListener("input", listen, true);
  document.addEventListener("submit", putBack, true);
  restoreInput = () => {
    restoreInput = noop;
    document.removeEventListener("input", listen, true);
    document.removeEventListener("submit", putBack, true);
    putBack();
  };
}

const noop = () => {};
let restoreInput: () => void = noop;
/** Restores text and choices entered before hydration. Only the first call has an effect. */
export const restoreEarlyInput = (): void => restoreInput();

/**
 * Records the selection in the focused textarea and returns a function that restores it: React also resets
 * the selection when it hydrates a textarea.
 */
export function recordSelection(): () => void {
  if (typeof document === "undefined") return noop;
  const field = document.activeElement;
  if (!(field instanceof HTMLTextAreaElement)) return noop;
  const { selectionStart, selectionEnd } = field;
  return () => {
    if (document.activeElement !== field) return;
    if (field.selectionStart !== selectionStart || field.selectionEnd !== selectionEnd)
      field.setSelectionRange(selectionStart, selectionEnd);
  };
}

const isField = (it: unknown): it is EarlyField =>
  it instanceof HTMLTextAreaElement || it instanceof HTMLSelectElement;

const isFieldChanged = (field: EarlyField): boolean =>
  field instanceof HTMLTextAreaElement
    ? field.value !== field.defaultValue
    : [...field.options].some((option) => option.selected !== option.defaultSelected);

/** Sets a value as if it were entered now, so that listeners of the field are called. */
function setFieldValue(field: EarlyField, words: string) {
  const kind = field instanceof HTMLTextAreaElement ? HTMLTextAreaElement : HTMLSelectElement;
  Object.getOwnPropertyDescriptor(kind.prototype, "value")!.set!.call(field, words);
  for (const event of ["input", "change"]) field.dispatchEvent(new Event(event, { bubbles: true }));
}
