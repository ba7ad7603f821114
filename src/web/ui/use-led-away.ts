import { useEffect, useRef } from "react";
import { useLocation, useNavigation } from "react-router";

/**
 * Closes what stands open once the page has led somewhere from it. What was on its way before it was opened, as the page
 * that follows an earlier deed, has nothing to do with it: call what comes back when it opens.
 */
export function useLedAway(close: () => void) {
  const { key } = useLocation();
  const isOnTheWay = useNavigation().state !== "idle";
  const arrivedAt = useRef(key);
  const awaited = useRef(false);
  useEffect(() => {
    const hasArrived = arrivedAt.current !== key;
    if (hasArrived && !awaited.current) close();
    if (hasArrived || !isOnTheWay) awaited.current = false;
    arrivedAt.current = key;
  }, [key, isOnTheWay, close]);
  return () => void (awaited.current = isOnTheWay);
}
