import { useEffect, useRef, useState } from "react";
import { useRevalidator } from "react-router";
import { onNudge } from "../client/live.ts";
import { Soon } from "../live/soon.ts";
import { useLine } from "../live/use-line.ts";
import { TOKENS } from "../tokens.ts";

/** So near to the end, in pixels, counts as being there. */
const NEAR = 160;

/** Keeps the latest message in sight as messages come, unless the reader has scrolled up. Gives what stands at the end. */
export function useStayAtEnd(lastSeq: number, older: boolean) {
  const end = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);
  useEffect(() => {
    const watch = () => {
      const box = end.current?.getBoundingClientRect();
      if (box) atEnd.current = box.bottom - innerHeight < NEAR;
    };
    addEventListener("scroll", watch, { passive: true });
    return () => removeEventListener("scroll", watch);
  }, []);
  useEffect(() => {
    if (!older && atEnd.current) end.current?.scrollIntoView({ block: "end" });
  }, [lastSeq, older]);
  return end;
}

/** Reads the conversation again when something was said in it, while it is looked at. */
export function useLiveConversation(id: string) {
  const { revalidate } = useRevalidator();
  useLine();
  useEffect(() => {
    const soon = new Soon(() => void revalidate());
    const stop = onNudge(({ about, conversationId }) => {
      if (about === "line" || (about === "message" && conversationId === id)) soon.within(TOKENS.liveGather);
    });
    return () => {
      stop();
      soon.stop();
    };
  }, [id, revalidate]);
}

/**
 * Opening a conversation reads it, at the same time as the shell counts what is unread: so it counts once more. Gives
 * up to where the viewer had read when they came, which stays so while they are here.
 */
export function useFreshCounts({
  readUpTo,
  lastSeq,
  viewerState,
}: {
  readUpTo: number;
  lastSeq: number;
  viewerState: string | null;
}): number {
  const [onArrival] = useState(readUpTo);
  const { revalidate } = useRevalidator();
  const stale = viewerState === "accepted" && lastSeq > readUpTo;
  useEffect(() => {
    if (stale) void revalidate();
  }, [stale, revalidate]);
  return onArrival;
}
