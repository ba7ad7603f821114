import { holdNavigationOffline } from "./held-presses.ts";
import { startOfflineCopies } from "./kept-pages.ts";

export { handleOfflineRequest } from "./deeds.ts";

/** Starts what can wait until hydration, and could not be fetched during a connection loss. */
export function startAfterHydration(): void {
  holdNavigationOffline();
  startOfflineCopies();
}
