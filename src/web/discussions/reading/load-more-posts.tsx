import { useEffect, useRef } from "react";
import { LIMITS } from "#community/rules";
import { Link } from "../../ui/navigation/link.tsx";
import { urls } from "../../urls.ts";
import { useTranslate } from "../../i18n/index.ts";
import type { DiscussionData } from "../discussion-data.ts";

/**
 * Appends the next page to the posts shown. The address then contains the range of pages, so that a reload
 * shows all of them.
 */
export function LoadMorePosts({ data: { discussion, posts, page, upTo, pages } }: { data: DiscussionData }) {
  const t = useTranslate();
  const wanted = useRef<number>(null);
  const last = posts.at(-1)?.number ?? 0;
  useEffect(() => {
    if (wanted.current === null || wanted.current > last) return;
    // Moves the focus to the first new post, from which keyboard and screen reader users continue. The page
    // does not scroll.
    document.getElementById(`post-${wanted.current}`)?.focus({ preventScroll: true });
    wanted.current = null;
  }, [last]);
  if (upTo >= pages || upTo - page + 1 >= LIMITS.postPagesAtOnce) return null;
  const first = discussion.lastHiddenNumber + upTo * LIMITS.page.posts + 1;
  const count = Math.min(LIMITS.page.posts, discussion.lastNumber - first + 1);
  return (
    <p className="mt-4 text-center">
      <Link
        to={`${urls.discussion(discussion.id, { page, to: upTo + 1 })}#post-${first}`}
        className="button"
        preventScrollReset
        replace
        onClick={() => (wanted.current = first)}
      >
        {t("{count, plural, one {Show the last post} other {Show the next # posts}}", { count })}
      </Link>
    </p>
  );
}
