import { holdNavigationOffline } from "./offline-navigation.ts";
import { startOfflineCopies } from "./offline-pages.ts";

export { handleOfflineRequest } from "./offline-requests.ts";

/** Starts what can wait until hydration, and could not be fetched during a connection loss. */
export function startAfterHydration(): void {
  holdNavigationOffline();
  startOfflineCopies();
}
