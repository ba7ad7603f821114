import { useEffect, useRef, useState } from "react";
import { useLocation, useRevalidator } from "react-router";

/** So near to the end, in pixels, counts as being there. */
const NEAR = 160;
const END = "conversation-end";

const endOf = () => document.getElementById(END);
/** Whether the end of the conversation is before the reader's eyes. */
export function isAtEnd(): boolean {
  const box = endOf()?.getBoundingClientRect();
  return box !== undefined && document.visibilityState === "visible" && box.bottom - innerHeight < NEAR;
}
export const goToEnd = () => endOf()?.scrollIntoView({ block: "end" });

/**
 * Keeps the latest message in sight as messages come, unless the reader has scrolled up; who comes to something new is led
 * to where it begins. `last` is the last that stands on the page. Gives the `id` of what stands at the end, and what of
 * others has come since the reader was there.
 */
export function useStayAtEnd(last: number, latest: boolean) {
  const { hash } = useLocation();
  const atEnd = useRef(latest);
  const [seen, setSeen] = useState(last);
  useEffect(() => {
    const watch = () => {
      atEnd.current = isAtEnd();
      if (atEnd.current) setSeen((before) => Math.max(before, Number(endOf()?.dataset["last"] ?? 0)));
    };
    addEventListener("scroll", watch, { passive: true });
    return () => removeEventListener("scroll", watch);
  }, []);
  const arrived = useRef(false);
  // After the router has put a new page to its beginning.
  useEffect(() => {
    const isFirst = !arrived.current;
    arrived.current = true;
    if (isFirst && hash) return;
    const begins = isFirst ? document.getElementById("new") : null;
    if (begins) begins.scrollIntoView({ block: "center" });
    else if (latest && atEnd.current) {
      goToEnd();
      setSeen(last);
    }
  }, [last, latest, hash]);
  return { id: END, seen };
}

/**
 * Opening a conversation reads it, at the same time as the shell counts what is unread: so it counts once more. Gives
 * up to where the viewer had read when they came, which stays so while they are here.
 */
export function useFreshCounts(readUpTo: number, marked: boolean): number {
  const [onArrival] = useState(readUpTo);
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (marked) void revalidate();
  }, [marked, revalidate]);
  return onArrival;
}
