import { useEffect } from "react";
import { useRevalidator } from "react-router";
import { lineState, onLineState, onNudge } from "../client/live.ts";
import { Soon } from "../live/soon.ts";

/** Milliseconds, so that several changes at once cause one request. */
const SOON = 300;

/**
 * Reloads a group's page when the viewer's membership or, for moderators, the list of requests has changed;
 * and after a reconnect, since changes may have been missed.
 */
export function useLiveMembership(): void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    let missed = false;
    // Without a connection the page could not be loaded either: it is loaded when the connection is back.
    const soon = new Soon(async () => (lineState() === "open" ? revalidate() : void (missed = true)));
    const stopLooking = onLineState((state) => {
      if (state === "open" && missed) soon.within(SOON);
      missed = state === "lost";
    });
    const stopHearing = onNudge(({ about }) => about === "group" && soon.within(SOON));
    return () => {
      stopLooking();
      stopHearing();
      soon.stop();
    };
  }, [revalidate]);
}
