import { feedUrl } from "./urls.ts";

// Elements for the head of a guest's page (`ctx.head`). Only crawlers and feed readers need them, and those
// are guests, so the data sent to browsers does not contain them.

/** Link to the Atom feed of the page at this path. */
export const feedLinkTag = (origin: string, page: string) =>
  `<link rel="alternate" type="application/atom+xml" href="${origin}${feedUrl(page)}"/>`;

/**
 * Describes the page's subject to search engines. It is JSON, where an escaped `<` cannot close the element.
 */
export const structuredDataTag = (data: Record<string, unknown>) =>
  `<script type="application/ld+json">${JSON.stringify(data).replaceAll("<", "\\u003c")}</script>`;
