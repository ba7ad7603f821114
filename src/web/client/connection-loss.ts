import type { handleOfflineRequest } from "./offline-requests.ts";

type OfflineHandling = typeof handleOfflineRequest;
let handleOffline: OfflineHandling | undefined;

/**
 * Loads the code that handles connection losses after hydration, since it could not be fetched during a
 * loss.
 */
export async function loadOfflineHandling(): Promise<void> {
  const { handleOfflineRequest: acrossBreaks, startAfterHydration: afterWaking } =
    await import("./after-hydration.ts");
  handleOffline = acrossBreaks;
  afterWaking();
}

/** Runs a request with offline handling, or without it if that has not been loaded yet. */
export const withOfflineHandling = (
  ...[request, next, t]: Parameters<OfflineHandling>
): ReturnType<OfflineHandling> => (handleOffline ? handleOffline(request, next, t) : next());
