/**
 * Sets CSS properties to the heights of the hidden parts of the window: `--keyboard` for the part below the
 * visual viewport, which an on-screen keyboard covers, and `--scrolled-away` for the part above. Both are 0
 * while the page is enlarged.
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
