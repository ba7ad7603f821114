import { useSyncExternalStore } from "react";
import { never } from "./use-hydrated.ts";
import { useRoot } from "./use-root.ts";

/**
 * The reader's time zone; for guests the browser's own (undefined), which the server does not know: their
 * pages are first rendered in the community's.
 */
export function useZone(): string | undefined {
  const { me, timeZone } = useRoot();
  return useSyncExternalStore(
    never,
    () => (me ? timeZone : undefined),
    () => timeZone,
  );
}
