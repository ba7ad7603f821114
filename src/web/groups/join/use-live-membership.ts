import { useEffect } from "react";
import { useRevalidator } from "react-router";
import { getConnectionState, onConnectionState, onViewerUpdate } from "../../client/live-state.ts";
import { DelayedTask } from "../../live/delayed-task.ts";

/** Milliseconds during which changes are collected into one request. */
const REFRESH_DELAY = 300;

/**
 * Reloads a group's page when the viewer's membership changes or, for moderators, the list of requests. Also
 * reloads after a reconnect, since changes may have been missed.
 */
export function useLiveMembership(): void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    let missed = false;
    // Without a connection the page could not be loaded, so the reload waits for the connection.
    const soon = new DelayedTask(async () =>
      getConnectionState() === "open" ? revalidate() : void (missed = true),
    );
    const stopLooking = onConnectionState((state) => {
      if (state === "open" && missed) soon.within(REFRESH_DELAY);
      missed = state === "lost";
    });
    const stopHearing = onViewerUpdate(({ about }) => about === "group" && soon.within(REFRESH_DELAY));
    return () => {
      stopLooking();
      stopHearing();
      soon.stop();
    };
  }, [revalidate]);
}
