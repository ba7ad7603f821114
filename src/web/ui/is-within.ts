/** Whether a press falls into a box, or the focus stays in it. It stays too while another window has it. */
export function isWithin(box: Element, event: Event): boolean {
  const to = event instanceof FocusEvent ? event.relatedTarget : event.target;
  return to === null || box.contains(to as Node);
}
