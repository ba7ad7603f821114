/**
 * Restores text typed into an offline copy (public/offline-copy.js) in the real page, which then saves it as a draft.
 */
export function restoreOfflineInput(reader: string | null): void {
  const key = `kith:typed:${reader}:${location.pathname}`;
  const words = readStoredInput(key);
  if (!words) return;
  sessionStorage.removeItem(key);
  for (const { name, value } of words) {
    const field = [...document.querySelectorAll("textarea")].find((it) => it.name === name);
    // Merges the stored text with the text that the field already has.
    if (field)
      setTextareaValue(field, value.includes(field.value.trim()) ? value : `${field.value}\n\n${value}`);
  }
}

type TypedField = { name: string; value: string };

function readStoredInput(key: string): TypedField[] | null {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? "null");
  } catch {
    return null;
  }
}

/** Sets a value as if it were typed now, so that listeners of the field are called. */
function setTextareaValue(field: HTMLTextAreaElement, words: string) {
  Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value")!.set!.call(field, words);
  for (const event of ["input", "change"]) field.dispatchEvent(new Event(event, { bubbles: true }));
}
