import { useSyncExternalStore } from "react";

/** Subscription to a value that never changes. */
export const subscribeNever = () => () => {};

/** Whether scripts run; false on the server and during hydration. */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    subscribeNever,
    () => true,
    () => false,
  );
