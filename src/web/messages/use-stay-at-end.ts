import { useEffect, useRef, useState } from "react";
import { useLocation, useRevalidator } from "react-router";

/** Distance in pixels within which the reader counts as being at the end. */
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
 * Scrolls to the latest message as messages arrive, unless the reader has scrolled up. A conversation with
 * new messages opens at the first new one. `last`: number of the last message on the page. Returns the `id`
 * for the element at the end, and the messages of others since the reader was at the end.
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
  // Runs after the router has scrolled a new page to its top.
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
 * The layout may have counted unread messages before the opened conversation was marked as read, so its
 * counters are loaded again. Returns the viewer's read position at the time the page was opened, until the
 * viewer leaves the page.
 */
export function useInitialReadPosition(readUpTo: number, marked: boolean): number {
  const [onArrival] = useState(readUpTo);
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (marked) void revalidate();
  }, [marked, revalidate]);
  return onArrival;
}
