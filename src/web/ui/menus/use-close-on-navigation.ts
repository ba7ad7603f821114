import { useEffect, useRef } from "react";
import { useLocation, useNavigation } from "react-router";

/**
 * Closes something once a navigation that began after it opened has arrived. Call the returned function when
 * it opens: a navigation that is pending then does not count.
 */
export function useCloseOnNavigation(close: () => void) {
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
