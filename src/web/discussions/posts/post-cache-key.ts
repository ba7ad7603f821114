import type { PostView } from "#community/discussions";
import type { RootData } from "../../root.tsx";
import { ageKey } from "../../ui/text/time.tsx";
import { type PostContext, pageRangeParams } from "./post-context.ts";

/**
 * Everything that the rendering of a post depends on, as one string: the post as its viewer sees it,
 * permissions, locale and age. Null if it depends on more: an action opened by the address, or a poll or
 * hidden post, which depend on the time.
 */
export function postCacheKey(post: PostView, it: PostContext, root: RootData, locale: string): string | null {
  const { edit, keep, quote: _, replyTo: __, ...named } = it.doing;
  if (
    post.poll ||
    post.hidden ||
    edit?.postId === post.id ||
    keep?.postId === post.id ||
    Object.values(named).includes(post.id)
  )
    return null;
  const { id, language, answer } = it.discussion;
  return JSON.stringify([
    [locale, root.timeZone, root.me === null, id, language, it.comments, it.can, pageRangeParams(it)],
    [
      answer?.id === post.id,
      ageKey(post.createdAt, root.now),
      post.editedAt && ageKey(post.editedAt, root.now),
    ],
    post.replyTo && it.posts.some(({ number }) => number === post.replyTo!.number),
    post,
  ]);
}
