/**
 * Restores text typed into an offline copy (public/kept.js) in the real page, which then saves it as a draft.
 */
export function putBackTyped(reader: string | null): void {
  const key = `kith:typed:${reader}:${location.pathname}`;
  const words = read(key);
  if (!words) return;
  sessionStorage.removeItem(key);
  for (const { name, value } of words) {
    const field = [...document.querySelectorAll("textarea")].find((it) => it.name === name);
    // The text continues the field's own text, or is appended to it.
    if (field) write(field, value.includes(field.value.trim()) ? value : `${field.value}\n\n${value}`);
  }
}

type Typed = { name: string; value: string };

function read(key: string): Typed[] | null {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? "null") as Typed[] | null;
  } catch {
    return null;
  }
}

/** Sets a value as if it were typed now, so that listeners of the field hear of it. */
function write(field: HTMLTextAreaElement, words: string) {
  Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value")!.set!.call(field, words);
  for (const event of ["input", "change"]) field.dispatchEvent(new Event(event, { bubbles: true }));
}
