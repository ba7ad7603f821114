import { startFormFocus } from "./form-focus.ts";
import { startKeyboardInset } from "./keyboard-inset.ts";
import { holdNavigationOffline } from "./offline-navigation.ts";
import { startOfflineCopies } from "./offline-pages.ts";
import { type RouteManifest, startPrefetching } from "./prefetch.ts";

export { openLiveConnection } from "./live-connection.ts";
export { handleOfflineRequest } from "./offline-requests.ts";
export { runShortcut } from "./shortcut-actions.ts";

// All that members need once a page is interactive is in one file, since each chunk is a request.

/**
 * Starts features that can wait until hydration. They are loaded now because they could not be fetched
 * without a connection.
 */
export function startAfterHydration(): void {
  startFormFocus();
  startKeyboardInset();
  holdNavigationOffline();
  startOfflineCopies();
  startPrefetching((window as { __reactRouterManifest?: RouteManifest }).__reactRouterManifest);
  // Browser tests wait for this mark: later chunks load only when somebody needs them.
  document.documentElement.dataset.started = "true";
}
