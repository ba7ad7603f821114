import { discussionFor, postsOf } from "#community/discussions";
import { GUEST, LIMITS } from "#community/rules";
import { notFound } from "#platform/refusal";
import { feedOf, urls } from "../urls.ts";
import { reading } from "../visit.ts";
import { assertFeeds, atomAnswer } from "./atom.ts";

const SIZE = LIMITS.page.posts;

/** The latest posts of a public discussion, as an Atom feed. */
export const loader = reading(async ({ visit, db, request, params }) => {
  await assertFeeds(visit);
  const it = await discussionFor(db, GUEST, params["id"]!);
  if (it.group.visibility !== "public" || it.audience !== "group") throw notFound();
  // The last page may have only just begun.
  const page = Math.max(1, Math.ceil(it.lastNumber / SIZE) - 1);
  const { posts } = await postsOf(db, GUEST, it, { page, upTo: page + 1 });
  const latest = posts.filter(({ html }) => html !== null).slice(-SIZE);
  return atomAnswer(visit, request, {
    id: it.id,
    title: it.title,
    self: feedOf(urls.discussion(it.id)),
    to: urls.discussion(it.id),
    language: it.language,
    begun: it.createdAt,
    entries: latest.toReversed().map(({ id, number, createdAt, editedAt, author, html }) => ({
      id,
      title: `${it.title} (#${number})`,
      to: urls.discussion(it.id, { post: number }),
      published: createdAt,
      updated: editedAt ?? createdAt,
      author: author && { name: author.name, to: urls.person(author.id) },
      html,
    })),
  });
});
