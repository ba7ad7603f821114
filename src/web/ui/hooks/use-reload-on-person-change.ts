import { useEffect, useRef } from "react";

/**
 * Reloads the page if another person has signed in in a second tab, so that no data of the first person
 * remains visible.
 */
export function useReloadOnPersonChange(id: string | undefined) {
  const before = useRef(id);
  useEffect(() => {
    if (before.current !== undefined && id !== undefined && before.current !== id) location.reload();
    before.current = id;
  }, [id]);
}
