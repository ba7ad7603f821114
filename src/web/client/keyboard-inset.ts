/**
 * Sets CSS properties to what hides the page beside its visual viewport: `--keyboard` below it, which is the
 * height of a keyboard on the screen, and `--scrolled-away` above it. Both are 0 while the page is enlarged.
 */
export function startKeyboardInset(): void {
  const viewport = globalThis.visualViewport;
  if (!viewport) return;
  const { style } = document.documentElement;
  const measure = () => {
    const isEnlarged = viewport.scale > 1.01;
    const above = isEnlarged ? 0 : viewport.offsetTop;
    const below = isEnlarged ? 0 : Math.max(0, innerHeight - viewport.height - above);
    style.setProperty("--keyboard", `${below}px`);
    style.setProperty("--scrolled-away", `${above}px`);
  };
  viewport.addEventListener("resize", measure);
  viewport.addEventListener("scroll", measure);
}
