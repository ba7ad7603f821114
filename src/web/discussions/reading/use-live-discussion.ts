import { useEffect, useMemo, useRef, useState } from "react";
import { useSearchParams } from "react-router";
import { publishSidebar } from "../../live/sidebar-updates.ts";
import { createRefetch } from "../../live/live-refetch.ts";
import { useLiveConnection } from "../../live/use-live-connection.ts";
import { useAccessLost } from "../../live/use-access-lost.ts";
import { DESIGN_TOKENS } from "../../tokens.ts";
import { useRootData } from "../../ui/hooks/use-root-data.ts";
import { urls } from "../../urls.ts";
import { isAtEnd } from "./is-at-end.ts";
import type { DiscussionData } from "../discussion-data.ts";
import type { UnreadPosts } from "./new-replies-link.tsx";
import type { LiveDiscussion } from "./live-discussion-data.ts";

type FetchedDiscussion = LiveDiscussion & {
  /** Whether the reader was at the end when the data arrived. */
  atEnd: boolean;
};

/**
 * Keeps an open discussion current. Edits, reactions and locks are applied immediately; new posts only while
 * the reader is at the end and not writing, so that the text does not move while being read. Open forms stay
 * open.
 */
export function useLiveDiscussion(loaded: DiscussionData) {
  const end = useRef<HTMLDivElement>(null);
  const [shutOff, onAccessLost] = useAccessLost(urls.discussion(loaded.discussion.id));
  const now = useLiveData(loaded, end, onAccessLost);
  const lastLoaded = loaded.posts.at(-1)?.number ?? 0;
  // The number of the last post shown on this page; it never decreases.
  const [shown, setShown] = useState(lastLoaded);
  const arrived = Math.max(shown, lastLoaded, now?.atEnd ? (now.posts.at(-1)?.number ?? 0) : 0);
  if (arrived > shown) setShown(arrived);
  const revealed = useSearchParams()[0].get("show");
  const data = now ? mergeLiveData(loaded, now, arrived, revealed) : loaded;
  const known = Math.max(arrived, loaded.discussion.lastNumber);
  const waiting: UnreadPosts = {
    count: Math.max(0, data.discussion.lastNumber - known),
    first: known + 1,
    arrived: arrived - lastLoaded,
  };
  return { it: data, end, waiting, shutOff };
}

/**
 * Combines loaded and live data. Posts after `arrived` are left out, and the post that the reader has
 * revealed stays visible.
 */
function mergeLiveData(
  loaded: DiscussionData,
  { discussion, can, pages, entries, pendingPosts, posts }: LiveDiscussion,
  arrived: number,
  revealed: string | null,
): DiscussionData {
  const before = loaded.posts.find(({ id }) => id === revealed);
  const shown = posts
    .filter(({ number }) => number <= arrived)
    .map((post) => (post.id === before?.id ? before : post));
  return { ...loaded, discussion, can, pages, entries, pendingPosts, posts: shown };
}

/** Data of this page fetched since the page was loaded; undefined before the first fetch. */
function useLiveData(
  loaded: DiscussionData,
  end: React.RefObject<HTMLDivElement | null>,
  onAccessLost: () => Promise<void>,
): FetchedDiscussion | undefined {
  const { id } = loaded.discussion;
  const { page, upTo } = loaded;
  const line = useLiveConnection();
  const reader = useRootData().me?.id ?? null;
  const [now, setNow] = useState<FetchedDiscussion>();
  const soon = useMemo(
    () =>
      createRefetch<LiveDiscussion>(() => urls.discussionNow(id, { page, to: upTo }), {
        took(liveDiscussion) {
          if (liveDiscussion.readBy !== reader) return;
          const taken = { ...liveDiscussion, atEnd: isAtEnd(end.current) };
          setNow((before) => (before && before.asOf > liveDiscussion.asOf ? before : taken));
          publishSidebar({ asOf: liveDiscussion.asOf, ...liveDiscussion.sidebar });
        },
        onAccessLost,
      }),
    [id, page, upTo, end, onAccessLost, reader],
  );
  const groupId = loaded.discussion.group.id;
  useEffect(() => {
    // Changes of other discussions only affect counters. Counters are fetched later, after a random delay,
    // so that not all clients send requests at the same time.
    return line?.follow(
      [{ table: "Discussions", events: ["created", "updated", "deleted"], where: `groupId = '${groupId}'` }],
      {
        changed: ({ objectId }) =>
          objectId !== id && soon.within(DESIGN_TOKENS.liveFigures * (1 + 2 * Math.random())),
      },
    );
  }, [line, id, groupId, soon]);
  useEffect(() => {
    if (!line) return;
    const stop = line.follow(
      [
        { table: "Posts", events: ["created", "updated"], where: `discussionId = '${id}'` },
        { table: "Reactions", events: ["created", "deleted"], where: `discussionId = '${id}'` },
        { table: "Discussions", events: ["updated", "deleted"], where: `objectId = '${id}'` },
      ],
      {
        changed: () => soon.within(DESIGN_TOKENS.liveGather + Math.random() * DESIGN_TOKENS.liveGather),
        // Fetches changes that were made before the connection was open, or while it was lost.
        ready: () => soon.within(DESIGN_TOKENS.liveGather),
        onAccessLost: () => void onAccessLost(),
      },
    );
    return () => {
      stop();
      soon.stop();
    };
  }, [line, id, soon, onAccessLost]);
  return now && now.asOf > loaded.asOf && now.page === page && now.upTo === upTo && now.discussion.id === id
    ? now
    : undefined;
}
