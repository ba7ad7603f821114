import { type ComponentChild, type ContainerNode, createElement, hydrate } from "preact";
import { Suspense } from "preact/compat";

/** What the browser's scripts import as `react-dom/client`: takes over the page as the house has written it, from `<html>` on. */
export function hydrateRoot(page: Document, tree: ComponentChild): void {
  for (const link of page.head.querySelectorAll(ADDED_BY_REACT)) link.remove();
  // The router waits for what was handed over with the page.
  hydrate(createElement(Suspense, { fallback: null }, tree), around(page));
}

/**
 * React on the server writes into the head what the tree has at its end, and what it thinks will soon be wanted. They have done what they
 * are for; the tree does not find them there, and would take them for the links that it has in the head.
 */
const ADDED_BY_REACT = "link[rel=modulepreload], link[rel=preload][as=image], link[rel=preload][as=script]";

/**
 * Preact takes over what is inside of an element. Ours is the document's own, beside its `<!DOCTYPE>`: this stands for a parent that has
 * nothing else in it.
 */
function around(page: Document): ContainerNode {
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
