import { useSyncExternalStore } from "react";

/** What never changes. */
export const never = () => () => {};

/** Whether scripts run here; false while the server renders and the browser takes over. */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
