import { useLocation } from "react-router";

/** Path and query string of the current page, to return to after signing in. */
export function useCurrentPath(): string {
  const { pathname, search } = useLocation();
  return pathname + search;
}
