import { useSyncExternalStore } from "react";
import { never } from "./use-hydrated.ts";
import { useRoot } from "./use-root.ts";

/** The reader's zone; a guest's is their browser's own (no name for it is needed), which the server does not know: their pages begin in its one. */
export function useZone(): string | undefined {
  const { me, timeZone } = useRoot();
  return useSyncExternalStore(
    never,
    () => (me ? timeZone : undefined),
    () => timeZone,
  );
}
