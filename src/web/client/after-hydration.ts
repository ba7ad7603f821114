import { startFormFocus } from "./form-focus.ts";
import { startFocusAfterForms } from "./focus-after-forms.ts";
import { startKeyboardInset } from "./keyboard-inset.ts";
import { startNoticeToasts } from "./notice-toasts.ts";
import { holdNavigationOffline } from "./offline-navigation.ts";
import { startOfflineCopies } from "./offline-pages.ts";
import { startPrefetching } from "./prefetch.ts";

export { openLiveConnection } from "./live-connection.ts";
export { handleOfflineRequest } from "./offline-requests.ts";
export { runShortcut } from "./shortcut-actions.ts";

// This module exports everything that members need after hydration, because each further chunk would be
// another request.

/**
 * Starts features that can wait until hydration. They are loaded now because they could not be fetched
 * without a connection.
 */
export function startAfterHydration(): void {
  startFormFocus();
  startFocusAfterForms();
  startNoticeToasts();
  startKeyboardInset();
  holdNavigationOffline();
  startOfflineCopies();
  startPrefetching(window.__reactRouterManifest);
  // Browser tests wait for this attribute: from now on, chunks are only loaded when they are needed.
  document.documentElement.dataset.started = "true";
}
