import { feedOf } from "./urls.ts";

// Elements for the head of a guest's page (`visit.head`). Programs that read pages come as guests, and no page in a browser needs what they
// look for: it is no part of the data that a page is handed.

/** Where what is new on the page at this path is to be had as a feed. */
export const feedLink = (origin: string, page: string) =>
  `<link rel="alternate" type="application/atom+xml" href="${origin}${feedOf(page)}"/>`;

/** What the page is about, as search engines read it. It is JSON, in which a `<` can be written so that it ends nothing. */
export const structuredData = (data: Record<string, unknown>) =>
  `<script type="application/ld+json">${JSON.stringify(data).replaceAll("<", "\\u003c")}</script>`;
