import { useSyncExternalStore } from "react";
import { subscribeNever } from "./use-hydrated.ts";
import { useRootData } from "./use-root-data.ts";

/**
 * Returns the reader's time zone. For guests it is undefined, which means the browser's own. The server does
 * not know that zone, so it renders guests' pages in the community's time zone at first.
 */
export function useTimeZone(): string | undefined {
  const { me, timeZone } = useRootData();
  return useSyncExternalStore(
    subscribeNever,
    () => (me ? timeZone : undefined),
    () => timeZone,
  );
}
