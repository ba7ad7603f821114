import type { PostView } from "#community/discussions";
import type { RootData } from "../../root.tsx";
import { ageKey } from "../../ui/text/time.tsx";
import { type PostContext, pageRangeParams } from "./post-context.ts";

/**
 * Everything that the rendering of a post depends on, as one string: the post as its viewer sees it,
 * permissions, locale and age. Null if it depends on more: an action opened by the address, or a poll or
 * hidden post, which depend on the time.
 */
export function postCacheKey(
  post: PostView,
  context: PostContext,
  root: RootData,
  locale: string,
): string | null {
  const { edit, keep, quote: _, replyTo: __, ...named } = context.doing;
  if (
    post.poll ||
    post.hidden ||
    edit?.postId === post.id ||
    keep?.postId === post.id ||
    Object.values(named).includes(post.id)
  )
    return null;
  const { id, language, answer } = context.discussion;
  return JSON.stringify([
    [
      locale,
      root.timeZone,
      root.me === null,
      id,
      language,
      context.comments,
      context.can,
      pageRangeParams(context),
    ],
    [
      answer?.id === post.id,
      ageKey(post.createdAt, root.now),
      post.editedAt && ageKey(post.editedAt, root.now),
    ],
    post.replyTo && context.posts.some(({ number }) => number === post.replyTo!.number),
    post,
  ]);
}
