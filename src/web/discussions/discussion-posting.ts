import type { Discussion, PostView } from "#community/discussions";
import { excerptOf } from "#platform/markup";
import { urls } from "../urls.ts";

/** Maximum number of posts, and characters of each: structured data is no archive. */
const MOST = { comments: 20, text: 500 };

type Shown = { discussion: Discussion; posts: PostView[]; page: number };

/**
 * A public discussion for search engines: schema.org's DiscussionForumPosting with the replies on this page.
 */
export function postingOf({ discussion: it, posts, page }: Shown, opening: string | null, origin: string): Record<string, unknown> {
  const comments = posts.filter(({ number, html }) => number > 1 && html !== null).slice(0, MOST.comments);
  return {
    "@context": "https://schema.org",
    "@type": "DiscussionForumPosting",
    headline: it.title,
    url: origin + urls.discussion(it.id, page > 1 ? { page } : {}),
    datePublished: it.createdAt.toISOString(),
    dateModified: it.lastPostAt.toISOString(),
    inLanguage: it.language,
    isPartOf: { "@type": "WebPage", name: it.group.name, url: origin + urls.group(it.group.slug) },
    ...(opening && { text: opening }),
    ...(it.tags.length > 0 && { keywords: it.tags.join(", ") }),
    author: authorOf(it, origin),
    commentCount: it.replies,
    interactionStatistic: {
      "@type": "InteractionCounter",
      interactionType: "https://schema.org/CommentAction",
      userInteractionCount: it.replies,
    },
    ...(comments.length > 0 && { comment: comments.map((post) => commentOf(it, post, origin)) }),
  };
}

const commentOf = (it: Discussion, post: PostView, origin: string) => ({
  "@type": "Comment",
  url: origin + urls.discussion(it.id, { post: post.number }),
  datePublished: post.createdAt.toISOString(),
  ...(post.editedAt && { dateModified: post.editedAt.toISOString() }),
  author: authorOf(post, origin),
  text: excerptOf(post.html!, MOST.text),
});

const authorOf = ({ author }: Pick<Discussion, "author">, origin: string) =>
  author ? { "@type": "Person", name: author.name, url: origin + urls.person(author.id) } : { "@type": "Person", name: "—" };
