import { useSyncExternalStore } from "react";
import { subscribeNever } from "./use-hydrated.ts";
import { useRootData } from "./use-root-data.ts";

/**
 * The reader's time zone; for guests the browser's own (undefined), which the server does not know: their
 * pages are first rendered in the community's.
 */
export function useTimeZone(): string | undefined {
  const { me, timeZone } = useRootData();
  return useSyncExternalStore(
    subscribeNever,
    () => (me ? timeZone : undefined),
    () => timeZone,
  );
}
