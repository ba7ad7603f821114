type Field = HTMLTextAreaElement | HTMLSelectElement;

/**
 * Keeps what is typed into long fields, and chosen in lists, while the app wakes: it would write over it what the server had sent (React
 * sets the value of both anew when it takes them over, some time before the page is awake). What is sent off in between is sent as it was
 * typed.
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
/** The page is awake: what was typed and chosen until now stands in it again. Only the first time. */
export const putBackEarlyWords = (): void => wake();

const isField = (it: unknown): it is Field => it instanceof HTMLTextAreaElement || it instanceof HTMLSelectElement;

const isChanged = (field: Field): boolean =>
  field instanceof HTMLTextAreaElement
    ? field.value !== field.defaultValue
    : [...field.options].some((option) => option.selected !== option.defaultSelected);

/** As if it were typed or chosen now: whoever listens to the field hears of it. */
function write(field: Field, words: string) {
  const kind = field instanceof HTMLTextAreaElement ? HTMLTextAreaElement : HTMLSelectElement;
  Object.getOwnPropertyDescriptor(kind.prototype, "value")!.set!.call(field, words);
  for (const event of ["input", "change"]) field.dispatchEvent(new Event(event, { bubbles: true }));
}
