/** How long it may take to come to a field, in milliseconds. */
const PATIENCE = 3_000;
export const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));

/** Presses what leads on, and goes into the field that comes with where it leads, as far as it comes soon. */
export async function pressTowards(link: HTMLElement, field: string): Promise<void> {
  const before = location.href;
  const until = performance.now() + PATIENCE;
  link.click();
  while (performance.now() < until) {
    await nextFrame();
    const found = location.href !== before && document.querySelector<HTMLElement>(field);
    if (found) return found.focus();
  }
}
