import type { Discussion } from "#community/discussions";
import { urls } from "../urls.ts";

/** A public discussion as search engines read it: schema.org's DiscussionForumPosting. */
export const postingOf = (it: Discussion, opening: string | null, origin: string): Record<string, unknown> => ({
  "@context": "https://schema.org",
  "@type": "DiscussionForumPosting",
  headline: it.title,
  url: origin + urls.discussion(it.id),
  datePublished: it.createdAt.toISOString(),
  dateModified: it.lastPostAt.toISOString(),
  inLanguage: it.language,
  isPartOf: { "@type": "WebPage", name: it.group.name, url: origin + urls.group(it.group.slug) },
  ...(opening && { text: opening }),
  ...(it.tags.length > 0 && { keywords: it.tags.join(", ") }),
  author: it.author
    ? { "@type": "Person", name: it.author.name, url: origin + urls.person(it.author.id) }
    : { "@type": "Person", name: "—" },
  commentCount: it.replies,
  interactionStatistic: {
    "@type": "InteractionCounter",
    interactionType: "https://schema.org/CommentAction",
    userInteractionCount: it.replies,
  },
});
