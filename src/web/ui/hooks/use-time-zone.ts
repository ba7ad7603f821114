import { useSyncExternalStore } from "react";
import { subscribeNever } from "./use-hydrated.ts";
import { useRootData } from "./use-root-data.ts";

/**
 * Returns the reader's time zone. For guests it is undefined, which means the browser's own: the server does
 * not know it, so their pages are first rendered in the community's.
 */
export function useTimeZone(): string | undefined {
  const { me, timeZone } = useRootData();
  return useSyncExternalStore(
    subscribeNever,
    () => (me ? timeZone : undefined),
    () => timeZone,
  );
}
