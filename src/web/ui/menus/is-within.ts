/**
 * Whether a click is inside a box, or the focus stays in it. The focus also counts as staying when another
 * window gets it.
 */
export function isWithin(box: Element, event: Event): boolean {
  const to = event instanceof FocusEvent ? event.relatedTarget : event.target;
  return to === null || (to instanceof Node && box.contains(to));
}
