/** Milliseconds to wait for the field. */
const TIMEOUT = 3_000;
export const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));

/** Clicks a link, then focuses the field on the page that it opens, unless the field appears too late. */
export async function clickAndFocus(link: HTMLElement, field: string): Promise<void> {
  const before = location.href;
  const until = performance.now() + TIMEOUT;
  link.click();
  while (performance.now() < until) {
    await nextFrame();
    const found = location.href !== before && document.querySelector<HTMLElement>(field);
    if (found) return found.focus();
  }
}
