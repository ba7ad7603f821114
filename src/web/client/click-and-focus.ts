/** Milliseconds within which the field has to appear. */
const TIMEOUT = 3_000;
export const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));

/** Clicks a link and focuses the field on the page it leads to, if that appears in time. */
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
