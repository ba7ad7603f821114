/** The end is before the reader's eyes, and they are not in the middle of writing below it. */
export function isAtEnd(end: HTMLElement | null): boolean {
  const box = end?.getBoundingClientRect();
  if (!box || document.visibilityState !== "visible" || box.top > innerHeight || box.bottom < 0) return false;
  const writing = document.querySelector<HTMLTextAreaElement>("#reply textarea");
  return document.activeElement !== writing && !writing?.value;
}
