import { useEffect } from "react";
import { useRevalidator } from "react-router";
import { onConnectionState, onViewerUpdate, type ViewerUpdate } from "../client/live-state.ts";
import { DelayedTask } from "../live/delayed-task.ts";

/**
 * Milliseconds during which changes are collected, so that many answers in quick succession cause few
 * requests.
 */
const REFRESH_DELAY = 400;
const spread = () => REFRESH_DELAY * (1 + 2 * Math.random());

type Watched = { eventId?: string; seriesId?: string | null; datePollId?: string };

/**
 * Reloads the page of an event or a date poll when it, the series or an answer has changed, and on
 * reconnection.
 */
export function useLiveEvent({ eventId, seriesId, datePollId }: Watched): void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    let missed = false;
    const soon = new DelayedTask(async () => revalidate());
    const isWatched = (it: ViewerUpdate) =>
      (eventId && it.eventId === eventId) ||
      (seriesId && it.seriesId === seriesId) ||
      (datePollId && it.datePollId === datePollId);
    const stopLooking = onConnectionState((state) => {
      if (state === "open" && missed) soon.within(REFRESH_DELAY);
      missed = state === "lost";
    });
    const stopHearing = onViewerUpdate((it) => {
      if (isWatched(it)) soon.within(spread());
    });
    return () => {
      stopLooking();
      stopHearing();
      soon.stop();
    };
  }, [eventId, seriesId, datePollId, revalidate]);
}
