import { getDiscussion, getPostsPage } from "#community/discussions";
import { GUEST, LIMITS } from "#community/rules";
import { notFound } from "#platform/refusal";
import { feedUrl, urls } from "../urls.ts";
import { defineLoader } from "../request-context.ts";
import { assertFeedAccess, atomResponse } from "./atom-feed.ts";

const PAGE_SIZE = LIMITS.page.posts;

/** The latest posts of a public discussion, as an Atom feed. */
export const loader = defineLoader(async ({ ctx, db, request, params }) => {
  await assertFeedAccess(ctx);
  const it = await getDiscussion(db, GUEST, params["id"]!);
  if (it.group.visibility !== "public" || it.audience !== "group") throw notFound();
  // The last page may have only a few posts, so the page before it is read too.
  const page = Math.max(1, Math.ceil(it.lastNumber / PAGE_SIZE) - 1);
  const { posts } = await getPostsPage(db, GUEST, it, { page, upTo: page + 1 });
  const latest = posts.filter(({ html }) => html !== null).slice(-PAGE_SIZE);
  return atomResponse(ctx, request, {
    id: `urn:uuid:${it.id}`,
    title: it.title,
    self: feedUrl(urls.discussion(it.id)),
    to: urls.discussion(it.id),
    language: it.language,
    begun: it.createdAt,
    entries: latest.toReversed().map(({ id, number, createdAt, editedAt, author, html }) => ({
      id,
      title: `${it.title} (#${number})`,
      to: urls.discussion(it.id, { post: number }),
      published: createdAt,
      updated: editedAt ?? createdAt,
      author: author && { name: author.name, to: author.isBot ? null : urls.person(author.id) },
      html,
    })),
  });
});
