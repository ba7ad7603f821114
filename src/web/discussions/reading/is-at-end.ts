/** Whether the end of the posts is visible, and the viewer is not typing a reply. */
export function isAtEnd(end: HTMLElement | null): boolean {
  const box = end?.getBoundingClientRect();
  if (!box || document.visibilityState !== "visible" || box.top > innerHeight || box.bottom < 0) return false;
  const writing = document.querySelector<HTMLTextAreaElement>("#reply textarea");
  return document.activeElement !== writing && !writing?.value;
}
