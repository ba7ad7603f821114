import type { PostView } from "#community/discussions";
import type { RootData } from "../root.tsx";
import { ageOf } from "../ui/time.tsx";
import { type PostPlace, together } from "./post-place.ts";

/**
 * Everything that a post is made of, as one text: the post as its reader sees it, what they may do, in which words, and how long ago
 * it was. Null where something else has a part in it: what the address asks to be done, and a poll or what is hidden, which know what time it is.
 */
export function whatMakes(post: PostView, it: PostPlace, root: RootData, locale: string): string | null {
  const { edit, keep, quote: _, replyTo: __, ...named } = it.doing;
  if (post.poll || post.hidden || edit?.postId === post.id || keep?.postId === post.id || Object.values(named).includes(post.id))
    return null;
  const { id, language, answer } = it.discussion;
  return JSON.stringify([
    [locale, root.timeZone, root.me === null, id, language, it.comments, it.may, together(it)],
    [answer?.id === post.id, ageOf(post.createdAt, root.now), post.editedAt && ageOf(post.editedAt, root.now)],
    post.replyTo && it.posts.some(({ number }) => number === post.replyTo!.number),
    post,
  ]);
}
