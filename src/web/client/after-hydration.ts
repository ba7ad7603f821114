import { holdNavigationOffline } from "./offline-navigation.ts";
import { startOfflineCopies } from "./offline-pages.ts";
import { type RouteManifest, startPrefetching } from "./prefetch.ts";

export { openLiveConnection } from "./live-connection.ts";
export { handleOfflineRequest } from "./offline-requests.ts";
export { runShortcut } from "./shortcut-actions.ts";

// One file for all that members need once a page is interactive, since each chunk is a request.

/** Starts what can wait until hydration, and could not be fetched during a connection loss. */
export function startAfterHydration(): void {
  holdNavigationOffline();
  startOfflineCopies();
  startPrefetching((window as { __reactRouterManifest?: RouteManifest }).__reactRouterManifest);
}
