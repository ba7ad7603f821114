/** Milliseconds to wait for the field. */
const TIMEOUT = 3_000;
export const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));

/** Clicks a link, then focuses the field on the page that it opens, unless the field appears too late. */
export function clickAndFocus(link: HTMLElement, field: string): Promise<void> {
  const before = location.href;
  link.click();
  return focusWhenOpen(before, field);
}

/** Focuses the field once the page at `before` has been left, unless the field appears too late. */
export async function focusWhenOpen(before: string, field: string): Promise<void> {
  const until = performance.now() + TIMEOUT;
  while (performance.now() < until) {
    await nextFrame();
    const found = location.href !== before && document.querySelector<HTMLElement>(field);
    if (found) return found.focus();
  }
}
