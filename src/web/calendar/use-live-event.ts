import { useEffect } from "react";
import { useRevalidator } from "react-router";
import { onConnectionState, onViewerUpdate } from "../client/live-state.ts";
import { DelayedTask } from "../live/delayed-task.ts";

/**
 * Milliseconds during which changes are collected, so that many answers in quick succession cause few
 * requests.
 */
const REFRESH_DELAY = 400;
const spread = () => REFRESH_DELAY * (1 + 2 * Math.random());

/** Reloads the event's page when the event, its series or an answer has changed, and on reconnection. */
export function useLiveEvent(eventId: string, seriesId: string | null): void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    let missed = false;
    const soon = new DelayedTask(async () => revalidate());
    const stopLooking = onConnectionState((state) => {
      if (state === "open" && missed) soon.within(REFRESH_DELAY);
      missed = state === "lost";
    });
    const stopHearing = onViewerUpdate((it) => {
      if (it.eventId === eventId || (seriesId !== null && it.seriesId === seriesId)) soon.within(spread());
    });
    return () => {
      stopLooking();
      stopHearing();
      soon.stop();
    };
  }, [eventId, seriesId, revalidate]);
}
