import type { Discussion, PostView } from "#community/discussions";
import { createExcerpt } from "#platform/markup";
import { urls } from "../urls.ts";

/**
 * Limits of the structured data, which is a summary for search engines: number of posts, and characters of
 * each.
 */
const LIMIT = { comments: 20, text: 500 };

type ShownPage = { discussion: Discussion; posts: PostView[]; page: number };

/**
 * A public discussion for search engines: schema.org's DiscussionForumPosting with the replies on this page.
 */
export function discussionStructuredData(
  { discussion: it, posts, page }: ShownPage,
  opening: string | null,
  origin: string,
): Record<string, unknown> {
  const comments = posts.filter(({ number, html }) => number > 1 && html !== null).slice(0, LIMIT.comments);
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
    author: toAuthor(it, origin),
    commentCount: it.replies,
    interactionStatistic: {
      "@type": "InteractionCounter",
      interactionType: "https://schema.org/CommentAction",
      userInteractionCount: it.replies,
    },
    ...(comments.length > 0 && { comment: comments.map((post) => toComment(it, post, origin)) }),
  };
}

const toComment = (discussion: Discussion, post: PostView, origin: string) => ({
  "@type": "Comment",
  url: origin + urls.discussion(discussion.id, { post: post.number }),
  datePublished: post.createdAt.toISOString(),
  ...(post.editedAt && { dateModified: post.editedAt.toISOString() }),
  author: toAuthor(post, origin),
  text: createExcerpt(post.html!, LIMIT.text),
});

const toAuthor = ({ author }: Pick<Discussion, "author">, origin: string) =>
  author
    ? {
        "@type": "Person",
        name: author.name,
        ...(!author.isBot && { url: origin + urls.person(author.id) }),
      }
    : { "@type": "Person", name: "—" };
