import { type ComponentChild, type ContainerNode, createElement, hydrate } from "preact";
import { Suspense } from "preact/compat";

/**
 * Replaces `react-dom/client` in browser builds: hydrates the page that the server has rendered, from
 * `<html>` on.
 */
export function hydrateRoot(page: Document, tree: ComponentChild): void {
  for (const link of page.head.querySelectorAll(ADDED_BY_REACT)) link.remove();
  // The router suspends until it has read the embedded data.
  hydrate(createElement(Suspense, { fallback: null }, tree), documentContainer(page));
}

/**
 * React on the server moves elements from the end of the tree into the head, and adds preloads. They are not
 * in that place of the tree, and hydration would take them for other links of the head, so they are removed
 * once they have served.
 */
const ADDED_BY_REACT = "link[rel=modulepreload], link[rel=preload][as=image], link[rel=preload][as=script]";

/**
 * Preact hydrates the children of an element. The root is the document's only element, beside `<!DOCTYPE>`:
 * this container stands for a parent without other children.
 */
function documentContainer(page: Document): ContainerNode {
  const html = page.documentElement;
  return {
    nodeType: Node.ELEMENT_NODE,
    parentNode: page,
    firstChild: html,
    childNodes: [html],
    namespaceURI: html.namespaceURI,
    insertBefore: (child: Node, before: Node | null) => page.insertBefore(child, before),
    appendChild: (child: Node) => page.appendChild(child),
    removeChild: (child: Node) => page.removeChild(child),
    contains: (child: Node | null) => page.contains(child),
  } as unknown as ContainerNode;
}
