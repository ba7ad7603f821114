import { useEffect, useRef } from "react";

/**
 * Reloads the page when it turns out to be another person's, who has signed in in a second tab, so that
 * nothing of the first stays.
 */
export function useReloadOnPersonChange(id: string | undefined) {
  const before = useRef(id);
  useEffect(() => {
    if (before.current !== undefined && id !== undefined && before.current !== id) location.reload();
    before.current = id;
  }, [id]);
}
