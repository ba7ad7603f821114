import { useLocation } from "react-router";

/** The address that one is on, with what it asks for: to come back to after signing in. */
export function useHere(): string {
  const { pathname, search } = useLocation();
  return pathname + search;
}
