import { useEffect, useMemo, useRef, useState } from "react";
import { useSearchParams } from "react-router";
import { isAtEnd } from "../discussions/reading/is-at-end.ts";
import type { UnreadPosts } from "../discussions/reading/new-replies-link.tsx";
import { createRefetch } from "../live/live-refetch.ts";
import { useLiveConnection } from "../live/use-live-connection.ts";
import { DESIGN_TOKENS } from "../tokens.ts";
import { useRootData } from "../ui/hooks/use-root-data.ts";
import { urls } from "../urls.ts";
import type { LiveComments } from "./live-comments.ts";
import type { ResourcePageData } from "./resource-data.ts";

type LoadedComments = LiveComments & {
  /** Whether the reader was at the end when the data arrived. */
  atEnd: boolean;
};

/**
 * Keeps the comments of an open resource page current. Edits and reactions are applied immediately; new
 * comments only while the reader is at the end and not writing, so that the text does not move while being
 * read. `onAccessLost` is called when the resource is no longer visible to the reader.
 */
export function useLiveComments(loaded: ResourcePageData, onAccessLost: () => Promise<void>) {
  const end = useRef<HTMLDivElement>(null);
  const { now, listening } = useLatestComments(loaded, end, onAccessLost);
  const lastLoaded = loaded.comments.at(-1)?.number ?? loaded.after;
  // The number of the last comment shown on this page; it never decreases.
  const [shown, setShown] = useState(lastLoaded);
  const arrived = Math.max(shown, lastLoaded, now?.atEnd ? (now.comments.at(-1)?.number ?? 0) : 0);
  if (arrived > shown) setShown(arrived);
  const revealed = useSearchParams()[0].get("show");
  const page = now ? mergeLiveComments(loaded, now, arrived, revealed) : loaded;
  // If there are further pages, the link to the next one is shown instead.
  const count = now && loaded.more === null ? Math.max(0, now.lastNumber - arrived) : 0;
  const waiting: UnreadPosts = { count, first: arrived + 1, arrived: arrived - lastLoaded };
  return { page, end, waiting, listening };
}

/**
 * Combines the loaded page with current data. Comments that were not shown yet are left out, and a revealed
 * comment stays visible.
 */
function mergeLiveComments(
  loaded: ResourcePageData,
  now: LiveComments,
  arrived: number,
  revealed: string | null,
): ResourcePageData {
  const before = loaded.comments.find(({ id }) => id === revealed);
  const comments = now.comments
    .filter(({ number }) => number <= arrived)
    .map((it) => (it.id === before?.id ? before : it));
  const more = now.more !== null && now.more <= arrived ? now.more : null;
  return { ...loaded, resource: { ...loaded.resource, comments: now.count }, can: now.can, comments, more };
}

/** Current comments fetched since the page was loaded; undefined before the first fetch. */
function useLatestComments(
  loaded: ResourcePageData,
  end: React.RefObject<HTMLDivElement | null>,
  onAccessLost: () => Promise<void>,
) {
  const { after } = loaded;
  const { id } = loaded.resource;
  const line = useLiveConnection();
  const reader = useRootData().me?.id ?? null;
  const [now, setNow] = useState<LoadedComments>();
  const [listening, setListening] = useState(false);
  const soon = useMemo(
    () =>
      createRefetch<LiveComments>(
        () => urls.resourceNow(id, { after: after || undefined, read: isAtEnd(end.current) ? 1 : undefined }),
        {
          took(liveComments) {
            if (liveComments.readBy !== reader) return;
            const taken = { ...liveComments, atEnd: isAtEnd(end.current) };
            setNow((before) => (before && before.asOf > liveComments.asOf ? before : taken));
          },
          onAccessLost,
        },
      ),
    [id, after, end, onAccessLost, reader],
  );
  useEffect(() => {
    if (!line) return;
    const stop = line.follow(
      [{ table: "Comments", events: ["created", "updated"], where: `resourceId = '${id}'` }],
      {
        changed: () => soon.within(DESIGN_TOKENS.liveGather + Math.random() * DESIGN_TOKENS.liveGather),
        // Fetches comments that were written before the connection was open, or while it was lost.
        ready() {
          setListening(true);
          soon.within(DESIGN_TOKENS.liveGather);
        },
        onAccessLost: () => void onAccessLost(),
      },
    );
    return () => {
      stop();
      soon.stop();
    };
  }, [line, id, soon, onAccessLost]);
  const isNewer = now && now.asOf > loaded.asOf && now.after === after && now.id === id;
  return { now: isNewer ? now : undefined, listening };
}
