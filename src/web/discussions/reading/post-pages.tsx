import { useEffect, useRef } from "react";
import { LIMITS } from "#community/rules";
import { Link } from "../../ui/navigation/link.tsx";
import { PageLinks } from "../../ui/navigation/page-links.tsx";
import { numberFormat } from "../../ui/text/intl-formats.ts";
import { urls } from "../../urls.ts";
import { useLocale, useTranslate } from "../../i18n/index.ts";
import type { DiscussionData } from "../discussion-data.ts";

/** Pages of the posts. The next one is appended to those shown, as long as these are not too many. */
export function PostPages({ data }: { data: DiscussionData }) {
  const t = useTranslate();
  const { discussion, page, upTo, pages } = data;
  const count = numberFormat(useLocale()).format;
  const counts = { page: count(page), upTo: count(upTo), pages: count(pages) };
  if (pages < 2) return null;
  const at = (to: number) => (to < 1 || to > pages ? null : urls.discussion(discussion.id, { page: to }));
  return (
    <PageLinks
      first={page > 1 ? at(1) : null}
      previous={at(page - 1)}
      next={at(upTo + 1)}
      last={upTo < pages ? at(pages) : null}
      more={upTo < pages && upTo - page + 1 < LIMITS.postPagesAtOnce && <LoadMorePosts data={data} />}
    >
      {upTo > page ? t("Pages {page} to {upTo} of {pages}", counts) : t("Page {page} of {pages}", counts)}
    </PageLinks>
  );
}

/**
 * Appends the next page to the posts shown. The address then contains the range of pages, so that a reload
 * shows all of them.
 */
function LoadMorePosts({ data: { discussion, posts, page, upTo } }: { data: DiscussionData }) {
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
  const first = discussion.lastHiddenNumber + upTo * LIMITS.page.posts + 1;
  const count = Math.min(LIMITS.page.posts, discussion.lastNumber - first + 1);
  return (
    <Link
      to={`${urls.discussion(discussion.id, { page, to: upTo + 1 })}#post-${first}`}
      className="button"
      preventScrollReset
      replace
      onClick={() => (wanted.current = first)}
    >
      {t("{count, plural, one {Show the last post} other {Show the next # posts}}", { count })}
    </Link>
  );
}
