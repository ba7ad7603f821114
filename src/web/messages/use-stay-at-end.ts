import { useEffect, useRef, useState } from "react";
import { useLocation, useRevalidator } from "react-router";

/** Pixels from the end within which the reader counts as being there. */
const END_MARGIN = 160;
const END_ID = "conversation-end";

const findEndMarker = () => document.getElementById(END_ID);
/** Whether the end of the conversation is visible. */
export function isAtEnd(): boolean {
  const box = findEndMarker()?.getBoundingClientRect();
  return box !== undefined && document.visibilityState === "visible" && box.bottom - innerHeight < END_MARGIN;
}
export const scrollToEnd = () => findEndMarker()?.scrollIntoView({ block: "end" });

/**
 * Keeps the latest message visible as messages arrive, unless the reader has scrolled up; a reader who comes
 * to new messages starts at the first of them. `last` is the last message on the page. Returns the `id` for
 * the element at the end, and the messages of others since the reader was there.
 */
export function useStayAtEnd(last: number, latest: boolean) {
  const { hash } = useLocation();
  const atEnd = useRef(latest);
  const [seen, setSeen] = useState(last);
  useEffect(() => {
    const watch = () => {
      atEnd.current = isAtEnd();
      if (atEnd.current) setSeen((before) => Math.max(before, Number(findEndMarker()?.dataset["last"] ?? 0)));
    };
    addEventListener("scroll", watch, { passive: true });
    return () => removeEventListener("scroll", watch);
  }, []);
  const arrived = useRef(false);
  // After the router has scrolled a new page to its top.
  useEffect(() => {
    const isFirst = !arrived.current;
    arrived.current = true;
    if (isFirst && hash) return;
    const begins = isFirst ? document.getElementById("new") : null;
    if (begins) begins.scrollIntoView({ block: "center" });
    else if (latest && atEnd.current) {
      scrollToEnd();
      setSeen(last);
    }
  }, [last, latest, hash]);
  return { id: END_ID, seen };
}

/**
 * Opening a conversation marks it as read while the shell counts unread ones, so they are counted again.
 * Returns the viewer's read position on arrival, which stays the same while they are here.
 */
export function useInitialReadPosition(readUpTo: number, marked: boolean): number {
  const [onArrival] = useState(readUpTo);
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (marked) void revalidate();
  }, [marked, revalidate]);
  return onArrival;
}
