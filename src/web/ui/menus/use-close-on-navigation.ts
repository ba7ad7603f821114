import { useEffect, useRef } from "react";
import { useLocation, useNavigation } from "react-router";

/**
 * Calls `close` when a navigation that began after opening has arrived. The returned function must be called
 * on opening, so that a navigation already pending is ignored.
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
