/** What was typed on a page that was shown without a line (public/kept.js) stands in the page itself once that is back, and is kept as its draft. */
export function putBackTyped(reader: string | null): void {
  const key = `kith:typed:${reader}:${location.pathname}`;
  const words = read(key);
  if (!words) return;
  sessionStorage.removeItem(key);
  for (const { name, value } of words) {
    const field = [...document.querySelectorAll("textarea")].find((it) => it.name === name);
    // It went on from what stood there, or else stands below it.
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

/** As if it were typed now: whoever listens to the field hears of it. */
function write(field: HTMLTextAreaElement, words: string) {
  Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value")!.set!.call(field, words);
  for (const event of ["input", "change"]) field.dispatchEvent(new Event(event, { bubbles: true }));
}
