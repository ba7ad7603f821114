import { useEffect, useState } from "react";
import { urls } from "../../urls.ts";

/** Milliseconds between two checks of which posts are visible. */
const TICK = 500;
/** Minimum milliseconds between two reports if another post was seen; otherwise ten times as many. */
const REPORT_DELAY = 3_000;

/** Numbers of the posts that are visible enough to be read: half of the post, or half of the window. */
function visiblePosts(last: Map<Element, IntersectionObserverEntry>): number[] {
  const read = (it: IntersectionObserverEntry) =>
    it.isIntersecting && (it.intersectionRatio >= 0.5 || it.intersectionRect.height >= innerHeight / 2);
  return [...last.values()].filter(read).map(({ target }) => Number(target.id.slice("post-".length)));
}

/**
 * Reports the highest post that was visible, and for how long. Returns the number of the current post.
 * `until`: id of the last post, or null without posts. `tells`: false for guests, whose reading is not
 * reported.
 */
export function useReadPosition(
  discussionId: string,
  { tells, until }: { tells: boolean; until: string | null },
): number | null {
  const [at, setAt] = useState<number | null>(null);
  useEffect(() => {
    if (until === null) return;
    const last = new Map<Element, IntersectionObserverEntry>();
    const watch = new IntersectionObserver(
      (entries) => entries.forEach((entry) => last.set(entry.target, entry)),
      {
        threshold: [0, 0.25, 0.5, 0.75, 1],
      },
    );
    for (const post of document.querySelectorAll("article[id^=post-]")) watch.observe(post);
    const teller = tells ? createReporter(discussionId) : null;
    const timer = setInterval(() => {
      const seen = document.visibilityState === "visible" ? visiblePosts(last) : [];
      if (seen.length === 0) return;
      setAt(Math.min(...seen));
      teller?.saw(Math.max(...seen));
    }, TICK);
    return () => {
      clearInterval(timer);
      watch.disconnect();
      teller?.stop();
    };
  }, [discussionId, tells, until]);
  return at;
}

/**
 * Creates a reporter, which collects visible posts and sends reports at intervals and when the page is left.
 */
function createReporter(discussionId: string) {
  const off = new AbortController();
  let [highest, reported, ms, at] = [0, 0, 0, -Infinity];
  const send = () => {
    if (off.signal.aborted || highest === 0 || (highest === reported && ms === 0)) return;
    navigator.sendBeacon(
      urls.seen(discussionId),
      new URLSearchParams({ upTo: String(highest), ms: String(ms) }),
    );
    [reported, ms, at] = [highest, 0, performance.now()];
  };
  // Stops reports once the discussion is marked as unread, so that a report on leaving does not undo it.
  const onSubmit = ({ target }: Event) => {
    if (target instanceof HTMLFormElement && new FormData(target).get("intent") === "unread") off.abort();
  };
  addEventListener("pagehide", send, { signal: off.signal });
  document.addEventListener("visibilitychange", () => document.visibilityState === "hidden" && send(), {
    signal: off.signal,
  });
  document.addEventListener("submit", onSubmit, { signal: off.signal, capture: true });
  return {
    saw(number: number) {
      highest = Math.max(highest, number);
      ms += TICK;
      if (performance.now() - at >= (highest > reported ? REPORT_DELAY : 10 * REPORT_DELAY)) send();
    },
    stop() {
      send();
      off.abort();
    },
  };
}
