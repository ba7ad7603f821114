import { Fragment, useEffect, useState } from "react";
import { NavigationType, useLocation, useNavigationType } from "react-router";
import { NewPostsDivider } from "../../ui/new-posts-divider.tsx";
import { useHydrated } from "../../ui/hooks/use-hydrated.ts";
import { useTranslate } from "../../i18n/index.ts";
import type { DiscussionData } from "../discussion-data.ts";
import { ActivityEntries, groupEntriesByPost } from "./activity-entries.tsx";
import { Post } from "./post.tsx";
import { ReactionForm } from "./reaction-buttons.tsx";

/** The posts of this page, with a divider above the new posts. */
export function PostList({ data }: { data: DiscussionData }) {
  const t = useTranslate();
  const { posts, discussion } = data;
  // Reading moves the read position, but the divider stays at its position from when the page was opened.
  const [since] = useState(discussion.readUpTo ? discussion.firstUnread : null);
  const [firstUnread] = useState(discussion.firstUnread);
  useScrollToPost(firstUnread);
  const { before, rest } = groupEntriesByPost(posts, data.entries);
  return (
    <section aria-label={t("Posts")}>
      {discussion.lastHiddenNumber > 0 && data.page === 1 && (
        <p className="py-2 text-small text-quiet">
          {t("Earlier posts are visible to members who were in the group then.")}
        </p>
      )}
      {posts.map((post) => (
        <Fragment key={post.id}>
          {post.number === since && <NewPostsDivider />}
          <ActivityEntries entries={before.get(post.number) ?? []} />
          <Post post={post} context={data} />
        </Fragment>
      ))}
      <ActivityEntries entries={rest} />
      {data.can.react && <ReactionForm />}
    </section>
  );
}

/**
 * Scrolls to the post in the address, else to the first unread one, unless the browser restores an earlier
 * scroll position.
 */
function useScrollToPost(number: number | null) {
  const { hash, search } = useLocation();
  const kind = useNavigationType();
  const inApp = useHydrated();
  useEffect(() => {
    const [loaded]: (PerformanceEntry & { type?: string })[] = performance.getEntriesByType("navigation");
    const cameBack = kind === NavigationType.Pop && (inApp || loaded?.type !== "navigate");
    const wanted = Number(new URLSearchParams(search).get("post")) || number;
    if (wanted === null || wanted === 1 || hash || cameBack || /[?&]page=/.test(search)) return;
    document.getElementById(`post-${wanted}`)?.scrollIntoView();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- scrolls once, when the page opens
  }, []);
}
