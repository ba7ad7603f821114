import { useEffect, useRef } from "react";

/** A page that turns out to be another's, who has signed in in a second tab, begins anew: nothing of the first stays on it. */
export function useOnePerson(id: string | undefined) {
  const before = useRef(id);
  useEffect(() => {
    if (before.current !== undefined && id !== undefined && before.current !== id) location.reload();
    before.current = id;
  }, [id]);
}
