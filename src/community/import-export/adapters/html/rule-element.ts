import type Turndown from "turndown";

const isElement = (node: Turndown.Node): node is HTMLElement => node.nodeType === 1;

/** Returns the node of a rule as an element: Turndown runs rules on elements only. */
export function element(node: Turndown.Node): HTMLElement {
  if (!isElement(node)) throw new Error("Turndown ran a rule on something that is no element.");
  return node;
}
