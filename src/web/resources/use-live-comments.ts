import { useEffect, useMemo, useRef, useState } from "react";
import { useSearchParams } from "react-router";
import { isAtEnd } from "../discussions/at-end.ts";
import type { Waiting } from "../discussions/new-replies.tsx";
import { rereading } from "../live/rereading.ts";
import { useLine } from "../live/use-line.ts";
import { TOKENS } from "../tokens.ts";
import { useRoot } from "../ui/use-root.ts";
import { urls } from "../urls.ts";
import type { Now } from "./now.ts";
import type { ResourcePageData } from "./resource-data.ts";

type Read = Now & { /** Whether its reader was at the end when it came. */ atEnd: boolean };

/**
 * What is said about a resource whose page stands open, as it is now. Changes and reactions are taken in at once; new comments
 * only where the reader is at the end and not writing, since nothing moves under their eyes. `shut` is for when it is not open to them any more.
 */
export function useLiveComments(loaded: ResourcePageData, shut: () => Promise<void>) {
  const end = useRef<HTMLDivElement>(null);
  const { now, listening } = useNow(loaded, end, shut);
  const lastLoaded = loaded.comments.at(-1)?.number ?? loaded.after;
  // As far as comments have been shown on this page; it never goes back.
  const [shown, setShown] = useState(lastLoaded);
  const arrived = Math.max(shown, lastLoaded, now?.atEnd ? (now.comments.at(-1)?.number ?? 0) : 0);
  if (arrived > shown) setShown(arrived);
  const revealed = useSearchParams()[0].get("show");
  const page = now ? takenOver(loaded, now, arrived, revealed) : loaded;
  // Where more stands on further pages anyway, the way there is below.
  const count = now && loaded.more === null ? Math.max(0, now.lastNumber - arrived) : 0;
  const waiting: Waiting = { count, first: arrived + 1, arrived: arrived - lastLoaded };
  return { page, end, waiting, listening };
}

/** What is shown of how it is now: comments as far as they have arrived, and one that the reader had revealed stays so. */
function takenOver(loaded: ResourcePageData, now: Now, arrived: number, revealed: string | null): ResourcePageData {
  const before = loaded.comments.find(({ id }) => id === revealed);
  const comments = now.comments.filter(({ number }) => number <= arrived).map((it) => (it.id === before?.id ? before : it));
  const more = now.more !== null && now.more <= arrived ? now.more : null;
  return { ...loaded, resource: { ...loaded.resource, comments: now.count }, may: now.may, comments, more };
}

/** What the server says about these comments since they were loaded; undefined while that is nothing new. */
function useNow(loaded: ResourcePageData, end: React.RefObject<HTMLDivElement | null>, shut: () => Promise<void>) {
  const { after } = loaded;
  const { id } = loaded.resource;
  const line = useLine();
  const reader = useRoot().me?.id ?? null;
  const [now, setNow] = useState<Read>();
  const [listening, setListening] = useState(false);
  const soon = useMemo(
    () =>
      rereading<Now>(() => urls.resourceNow(id, { after: after || undefined, read: isAtEnd(end.current) ? 1 : undefined }), {
        took(read) {
          if (read.readBy !== reader) return;
          const taken = { ...read, atEnd: isAtEnd(end.current) };
          setNow((before) => (before && before.asOf > read.asOf ? before : taken));
        },
        shut,
      }),
    [id, after, end, shut, reader],
  );
  useEffect(() => {
    if (!line) return;
    const stop = line.follow([{ table: "Comments", events: ["created", "updated"], where: `resourceId = '${id}'` }], {
      changed: () => soon.within(TOKENS.liveGather + Math.random() * TOKENS.liveGather),
      // What was said before the line was open, or while it was broken.
      ready() {
        setListening(true);
        soon.within(TOKENS.liveGather);
      },
      shut: () => void shut(),
    });
    return () => {
      stop();
      soon.stop();
    };
  }, [line, id, soon, shut]);
  const isNewer = now && now.asOf > loaded.asOf && now.after === after && now.id === id;
  return { now: isNewer ? now : undefined, listening };
}
